import type { GraphQLResolveInfo } from 'graphql';

/** The value of a field as JSON text. Resolvers may return it where {@link takesText} is true. */
export class PassedText {
  constructor(readonly text: string) {}
}

const passing = new WeakSet<object>();

/** Notes that a resolver may return text, or that nothing looks at the value between it and the printer of its field. */
export function notePassing(noted: object): void {
  passing.add(noted);
}

export function isPassing(noted: unknown): boolean {
  return passing.has(noted as object);
}

type Fragments = GraphQLResolveInfo['fragments'];

/** Documents with named fragments have no plan. */
export const noFragments: Fragments = Object.freeze(Object.create(null));

/** Those of the calls of a plan that takes text: they tell it to the resolver. */
export const fragmentsOfText: Fragments = Object.freeze(Object.create(null));

/** Whether the plan of a call takes {@link PassedText}. */
export function takesText({ fragments }: GraphQLResolveInfo): boolean {
  return fragments === fragmentsOfText;
}
