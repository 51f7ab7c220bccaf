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

/** Tells the resolver of a call that its plan takes text. */
export function offerText(info: GraphQLResolveInfo): void {
  passing.add(info);
}

/** Whether the plan of a call takes {@link PassedText}. */
export function takesText(info: GraphQLResolveInfo): boolean {
  return passing.has(info);
}
