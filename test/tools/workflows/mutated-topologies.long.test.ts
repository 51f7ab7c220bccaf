import { expect, test } from 'vitest';
import type { Span } from '../../../src/base/source/span.js';
import type { SourceInput } from '../../../src/compiler/analyze.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { indexSchema } from '../../../src/compiler/schema/schema-index.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import { type Documents, documentsOf, resolversOf, runAll, sourcesOf, whileServed } from './served-example.js';

/** A change of one place of a topology. */
interface Mutation {
  readonly kind: 'edge dropped' | 'type changed' | 'argument renamed' | '! added' | 'enum value dropped';
  readonly place: Span;
  readonly change: (text: string) => string;
}

const otherTypes: Readonly<Record<string, string>> = {
  ID: 'Int',
  String: 'Int',
  Int: 'String',
  Float: 'Boolean',
  Boolean: 'String',
};

/** Every change of these kinds at every place of a schema. */
function mutationsOf(schema: GqlSchema): Mutation[] {
  const { queries, mutations, subscriptions, unions, objects, inputs, enums } = schema;
  const operations = [...queries, ...mutations, ...subscriptions];
  const found: Mutation[] = [];
  const seen = new Set<string>();
  const add = (kind: Mutation['kind'], place: Span | undefined, change: Mutation['change']): void => {
    if (place === undefined || seen.has(`${kind} ${place.file} ${place.start}`)) return;
    seen.add(`${kind} ${place.file} ${place.start}`);
    found.push({ kind, place, change });
  };
  for (const { span } of [...operations, ...unions].flatMap(({ edges }) => edges)) add('edge dropped', span, () => '');
  const fields = [...objects, ...inputs].flatMap((type) => type.fields);
  for (const { span } of [...fields, ...operations.flatMap((operation) => operation.arguments)]) {
    add('type changed', span, (text) =>
      text.replace(
        /(:\s*\[?)(ID|String|Int|Float|Boolean)\b/,
        (_, start: string, type: string) => start + otherTypes[type],
      ),
    );
    add('! added', span, (text) => text.replace(/(:\s*(?:\w+|\[\w+!?\]))(?![\w!])/, '$1!'));
  }
  for (const { span } of operations.flatMap((operation) => operation.arguments))
    add('argument renamed', span, (text) => text.replace(/(\w+)(?=\s*:)/, '$1Renamed'));
  for (const { valueSpans = [] } of enums) for (const span of valueSpans) add('enum value dropped', span, () => '');
  return found;
}

function mutate(sources: readonly SourceInput[], { place, change }: Mutation): readonly SourceInput[] | undefined {
  const mutated = sources.map(({ name, source }) => {
    if (name !== place.file) return { name, source };
    const changed =
      source.slice(0, place.start) + change(source.slice(place.start, place.end)) + source.slice(place.end);
    return { name, source: changed.replace(/\[\s*,/, '[').replace(/,(\s*),/, ',$1') };
  });
  return mutated.some(({ source }, at) => source !== sources[at]?.source) ? mutated : undefined;
}

/** The resolvers that a changed schema still has a place for, as after a change that compiles. */
function fitting(resolvers: Resolvers, schema: GqlSchema): Resolvers {
  const roots: Readonly<Record<string, readonly { readonly name: string }[]>> = {
    Query: schema.queries,
    Mutation: schema.mutations,
    Subscription: schema.subscriptions,
  };
  const fieldsOf = (type: string) => {
    const named = indexSchema(schema).types.get(type);
    return roots[type] ?? (named?.kind === 'object' ? named.type.fields : []);
  };
  return Object.fromEntries(
    Object.entries(resolvers).map(([type, fields]) => [
      type,
      Object.fromEntries(
        Object.entries(fields as object).filter(([name]) => fieldsOf(type).some((field) => field.name === name)),
      ),
    ]),
  ) as Resolvers;
}

/** What became of a mutation: refused with an error, caught by a workflow, or neither. */
type Fate = 'refused' | 'caught' | 'missed';

async function fateOf(file: string, documents: Documents, mutated: readonly SourceInput[]): Promise<Fate> {
  const changed = documentsOf(mutated);
  if (changed === undefined) return 'refused';
  const resolvers = fitting(await resolversOf(file), changed.schema);
  const quiet = { error: () => undefined, warn: () => undefined };
  try {
    const options = { topologies: mutated, resolvers, logger: quiet } as never;
    const results = await whileServed(options, (origin) => runAll(documents, origin, {}, 1_000));
    return results.every(({ passed }) => passed) ? 'missed' : 'caught';
  } catch {
    return 'refused';
  }
}

/** A fixed order that mixes places, so that a run with a limit covers all of them. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  let state = 42;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return [state, item] as const;
  });
  return keyed.sort(([one], [other]) => one - other).map(([, item]) => item);
}

const files = [
  'docs/examples/service.gg',
  'docs/examples/project/service.gg',
  'docs/examples/bookstore/shop.gg',
  'docs/examples/parcel/main.gg',
];
const mostOfKind = 40;

test('the workflows of the last working topology detect breaking changes', {
  timeout: 1_800_000,
}, async () => {
  const fates = new Map<string, Record<Fate, number>>();
  const missed: string[] = [];
  for (const file of files) {
    const sources = sourcesOf(file);
    const documents = documentsOf(sources) as Documents;
    const ofKind = new Map<string, number>();
    for (const mutation of shuffled(mutationsOf(documents.schema))) {
      const count = ofKind.get(mutation.kind) ?? 0;
      const mutated = count < mostOfKind ? mutate(sources, mutation) : undefined;
      if (mutated === undefined) continue;
      ofKind.set(mutation.kind, count + 1);
      const fate = await fateOf(file, documents, mutated);
      const counts = fates.get(mutation.kind) ?? { refused: 0, caught: 0, missed: 0 };
      counts[fate] += 1;
      fates.set(mutation.kind, counts);
      if (fate !== 'missed') continue;
      const { place } = mutation;
      const text = sources.find(({ name }) => name === place.file)?.source.slice(place.start, place.end) ?? '';
      missed.push(`${mutation.kind}: ${place.file}: ${text.replace(/\s+/g, ' ').slice(0, 90)}`);
    }
  }
  const total = [...fates.values()].reduce(
    (sum, { refused, caught, missed: left }) => sum + refused + caught + left,
    0,
  );
  console.log(
    [`${total} mutations`, ...[...fates].map(([kind, counts]) => `${kind}: ${JSON.stringify(counts)}`), ...missed].join(
      '\n',
    ),
  );
  expect(total).toBeGreaterThanOrEqual(200);
  const shareOf = (kind: Mutation['kind']): number => {
    const { caught, missed: left } = fates.get(kind) ?? { caught: 0, missed: 1 };
    return caught / (caught + left);
  };
  expect(shareOf('edge dropped')).toBe(1);
  expect(shareOf('argument renamed')).toBeGreaterThan(0.8);
  expect(shareOf('type changed')).toBeGreaterThan(0.8);
});
