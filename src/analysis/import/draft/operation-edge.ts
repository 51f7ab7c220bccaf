import type { JsonPlace } from '../../../base/source/json-place.js';
import type { Access } from '../../../compiler/graph/access.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { camelCaseOf, typeNameOf, unionNameOf } from '../../../compiler/graph/names.js';
import type { Draft, DraftEdge, DraftSetting, DraftValue } from './draft.js';
import { quoteText } from './write-draft.js';

/** An operation, whose edges lead to the node of its result. */
export interface OperationParts extends Omit<DraftEdge, 'type' | 'from'> {
  readonly kind: keyof typeof edgesOfKinds;
  readonly name: string;
  /** The sources of each of its edges. */
  readonly sources: readonly (readonly string[])[];
  /** The type of the result; undefined if it follows from the target. */
  readonly result: string | undefined;
  /** The type that an edge to the target has as its result. Default: that of the node. */
  readonly targetResult?: string;
}

/** The type of the edge of an operation, by its kind. */
export const edgesOfKinds = { query: 'PROCESS', mutation: 'FOLD', subscription: 'FORK' } as const;

/** Adds the edges of an operation. Settings that the target does not imply are on all edges, the rest on the first. */
export function addOperationEdges(draft: Draft, parts: OperationParts): void {
  const { kind, name, sources, result, targetResult, settings, tags = [], description, ...edge } = parts;
  const { to, place } = edge;
  const every: DraftSetting[] = [];
  if (camelCaseOf(typeNameOf(to)) !== name) every.push({ key: 'operation', text: `'${name}'`, place });
  // A subscription returns the type of its target.
  if (kind !== 'subscription' && result !== undefined && result !== (targetResult ?? typeNameOf(to)))
    every.push({ key: 'returns', text: result, place });
  for (const [at, from] of sources.entries()) {
    const made = { ...edge, type: edgesOfKinds[kind], from, settings: every };
    draft.edges.push(at > 0 ? made : { ...made, settings: [...every, ...settings], tags, description });
  }
}

/** An edge of the race that a union comes from. */
export function raceEdge(
  union: string,
  edge: Pick<DraftEdge, 'from' | 'to' | 'place' | 'description'>,
  open?: string,
): DraftEdge {
  const { to, place } = edge;
  const isNamed = unionNameOf(typeNameOf(to)) !== union;
  const settings = isNamed ? [{ key: 'union', text: `'${union}'`, place }] : [];
  return {
    ...edge,
    type: 'RACE',
    settings: [...settings, ...openSetting(open, place)],
    arguments: [],
    subject: `union ${union}`,
  };
}

/** The delay of the branches of a race, in milliseconds. */
export function afterSetting(delay: number | undefined, place: string): readonly DraftSetting[] {
  return delay ? [{ key: 'after', text: `'${delay}ms'`, place }] : [];
}

/** The settings for the callers that may use an operation. The demands of its type follow from the type. */
export function accessSettings({ auth, owner, open, ...lists }: Access, place: string) {
  const { scopes = [], anyScope = [], roles = [] } = lists;
  const settings = Object.entries({ scopes, anyScope, roles }).flatMap(([key, names]): DraftSetting[] => {
    const quoted = names.map((name) => quoteText(name) ?? "''");
    return names.length === 0 ? [] : [{ key, text: `[${quoted.join(', ')}]`, place }];
  });
  const quoted = quoteText(owner);
  if (quoted !== undefined) settings.push({ key: 'owner', text: quoted, place });
  if (auth !== undefined && settings.length === 0) settings.push({ key: 'auth', text: `'${auth}'`, place });
  return [...settings, ...openSetting(open, place)];
}

/**
 * The settings for runs and logs of events.
 *
 * @param given - What a document says of a setting.
 */
export function policySettings(given: (key: string) => JsonPlace | undefined, place: string) {
  return ['undo', 'retries', 'awaits', 'within', 'pause', 'partition'].flatMap((key): readonly DraftSetting[] => {
    const value = given(key)?.value;
    const text = typeof value === 'number' ? `${value}` : typeof value === 'string' ? quoteText(value) : undefined;
    return text === undefined ? [] : [{ key, text, place }];
  });
}

function openSetting(reason: string | undefined, place: string): readonly DraftSetting[] {
  return ifGiven(quoteText(reason), (text) => ({ key: 'open', text, place }));
}

/** The reasons of reports that descriptions share: an argument elsewhere, a list of files, and a body that is one value. */
export const placesOfArguments = 'Arguments are in the path, the query string, headers or the JSON of the body.';
export const singleFile = 'A form has one file for each argument.';
export const wholeBody = 'It is not an object with members, so callers pass it as the member “body”.';

/**
 * Adds an argument to those of an operation, and returns the name that it has: another one, which is reported, if an
 * edge cannot have its own.
 *
 * @param given - Its name in the description.
 */
export function addArgument(
  draft: Draft,
  args: Map<string, DraftValue>,
  value: DraftValue,
  of: string,
  given = value.name,
): string {
  const isSetting = (name: string) => name === 'returns' || (name === 'throws' && /^\[\w+\]$/.test(value.type));
  let { name } = value;
  for (let number = 2; isSetting(name) || args.has(name); number++) name = `${value.name}${number}`;
  if (name !== value.name) {
    const reason = isSetting(value.name)
      ? 'an edge has a setting of this name and form'
      : 'another argument has this name';
    draft.lose(value, `argument ${given} of ${of}`, `It is named ${name}: ${reason}.`);
  }
  args.set(name, name === value.name ? value : { ...value, name });
  return name;
}
