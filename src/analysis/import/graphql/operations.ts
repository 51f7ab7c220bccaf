import type { ConstDirectiveNode, FieldDefinitionNode } from 'graphql';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { typeNameOf } from '../../../compiler/graph/names.js';
import type { DraftValue } from '../draft/draft.js';
import { pageSetting } from '../draft/draft.js';
import {
  addArgument,
  addOperationEdges,
  afterSetting,
  type OperationParts,
  raceEdge,
} from '../draft/operation-edge.js';
import { givenDescription } from '../draft/own-text.js';
import { chainSettings } from './chains.js';
import { type ImportedTypes, withoutPages } from './imported-types.js';
import { lineAndColumn, type TypeDefinition } from './type-definitions.js';
import {
  accessSettings,
  argumentText,
  baseOf,
  constantText,
  directiveOf,
  inputValueOf,
  tagsOf,
  typeText,
} from './values.js';

/** Adds the edges of the unions and of the fields of the root types. */
export function addOperations(types: ImportedTypes): void {
  const { schema, draft } = types;
  const raced = racedTypes(types);
  for (const type of schema.types.values()) {
    if (!schema.isOwn || type.kind !== 'union') continue;
    const origins = topologyOf(type.directives);
    const delays = delaysOf(type);
    for (const [at, { from, to }] of origins.entries()) {
      const description = at === 0 ? givenDescription(type.description) : undefined;
      const open = type.directives.find(
        (directive) =>
          directive.name.value === 'open' && from.some((id) => typeNameOf(id) === argumentText(directive, 'member')),
      );
      const edge = { from, to, place: type.place, description };
      const race = raceEdge(type.name, edge, argumentText(open, 'reason'));
      const earlier = new Set(origins.slice(0, at).flatMap((one) => one.from));
      const after = afterSetting(stepOf(from, earlier, delays), type.place);
      draft.edges.push({ ...race, settings: [...race.settings, ...policySettings(type), ...after] });
    }
  }
  for (const kind of ['query', 'mutation', 'subscription'] as const) {
    const root = schema.types.get(schema.roots[kind]);
    for (const field of root?.fields ?? []) addField(types, kind, field, raced);
    if (root !== undefined) tagsOf(draft, root.directives, root.name);
  }
  if (schema.isOwn) draft.completeOwn();
}

function policySettings(type: TypeDefinition) {
  return (directiveOf(type, 'race')?.arguments ?? []).flatMap(({ name, value }) => {
    const text = name.value === 'after' ? undefined : constantText(value);
    return text === undefined ? [] : [{ key: name.value, text, place: type.place }];
  });
}

/** The delays of the members of a race by their names; empty if none waits. */
function delaysOf(type: TypeDefinition): ReadonlyMap<string, number> {
  const after = directiveOf(type, 'race')?.arguments?.find(({ name }) => name.value === 'after')?.value;
  const values = after?.kind === 'ListValue' ? after.values : [];
  return new Map(values.map((value, at) => [type.members[at] ?? '', 'value' in value ? Number(value.value) : 0]));
}

/** The delay of an edge: each of its branches waits longer than the one before, and keeps the delay of its first edge. */
function stepOf(from: readonly string[], earlier: ReadonlySet<string>, delays: ReadonlyMap<string, number>) {
  const at = from.findLastIndex((id) => !earlier.has(id));
  const delay = delays.get(typeNameOf(from[at] ?? ''));
  return delay === undefined ? undefined : delay / (from.length === 1 ? 1 : at || 1);
}

function addField(
  types: ImportedTypes,
  kind: OperationParts['kind'],
  field: FieldDefinitionNode,
  raced: ReadonlyMap<string, string>,
): undefined {
  const { draft, schema } = types;
  const place = lineAndColumn(field);
  const subject = `${kind} ${field.name.value}`;
  const directives = field.directives ?? [];
  if (schema.isOwn && field.name.value === '_empty') return;
  const origins = topologyOf(directives);
  if (schema.isOwn && origins.length === 0)
    return draft.lose(place, subject, 'It comes from a layer, which every server adds itself.');
  const given = withoutPages(field, types.connections);
  const result = typeText(given.type, types.outputName);
  if (result === undefined)
    return draft.lose(place, subject, `The type ${baseOf(given.type)} of its result is not defined.`);
  const args = new Map<string, DraftValue>();
  for (const argument of given.arguments) {
    const value = inputValueOf(draft, argument, types.inputName, subject);
    if (value !== undefined) addArgument(draft, args, value, subject);
  }
  const base = baseOf(given.type);
  const target = types.idOf(base);
  if (kind === 'subscription' && !schema.isOwn) {
    if (target === undefined) return draft.lose(place, subject, 'A subscription returns the type of a node.');
    const name = typeNameOf(target);
    const reason = `It is ${name} instead of ${result}: an event is one object.`;
    if (result !== name) draft.lose(place, `result of ${subject}`, reason);
    draft.loseOnce(place, subject, unknownEvents);
  }
  const name = draft.takeOperationName(kind, field.name.value, place);
  const to = origins[0]?.to ?? target ?? draft.scalarTargetAt(place);
  const page = ifGiven(given.page, ({ size, isCounted }) => pageSetting(size, isCounted, place));
  // In a schema of another tool, the directive may mean anything.
  const needsKey = schema.isOwn && kind === 'mutation' && directives.some((one) => one.name.value === 'idempotent');
  const key = needsKey ? [{ key: 'idempotent', text: "'required'", place }] : [];
  const read = ['auth', 'open', ...(needsKey ? ['idempotent'] : [])];
  const others = directives.filter((one) => !read.includes(one.name.value));
  addOperationEdges(draft, {
    kind,
    name,
    sources: origins.length === 0 ? [[draft.sourceAt(place)]] : origins.map(({ from }) => from),
    to,
    result,
    targetResult: raced.get(to) ?? typeNameOf(to),
    arguments: [...args.values()],
    settings: [...page, ...key, ...chainSettings(schema, kind, field.name.value), ...accessSettings(field, place)],
    tags: tagsOf(draft, others, subject),
    description: schema.isOwn ? givenDescription(field.description?.value) : field.description?.value,
    subject,
    place,
  });
}

const unknownEvents =
  'A schema does not state which mutations publish its events: start the FORK at the node that they lead to.';

/** The unions that the types of nodes are replaced by, by the ids of the nodes. */
function racedTypes({ schema, outputName }: ImportedTypes): ReadonlyMap<string, string> {
  const raced = new Map<string, string>();
  for (const { kind, directives, name } of schema.isOwn ? schema.types.values() : []) {
    if (kind !== 'union') continue;
    const type = outputName(name);
    for (const { to } of topologyOf(directives)) if (type !== undefined && !raced.has(to)) raced.set(to, type);
  }
  return raced;
}

function topologyOf(directives: readonly ConstDirectiveNode[]) {
  return directives.flatMap((directive) => {
    if (directive.name.value !== 'topology') return [];
    const from = argumentText(directive, 'from')?.split(' | ') ?? [];
    const to = argumentText(directive, 'to') ?? '';
    return [...from, to].every((id) => /^\w+$/.test(id)) ? [{ from, to }] : [];
  });
}
