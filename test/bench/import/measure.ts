// Imports one description, compiles and serves it, replays its examples, and prints the figures as JSON.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { importDescription, isYaml } from '../../../src/analysis/import/import-description.js';
import type { SourceExample } from '../../../src/analysis/import/source-examples.js';
import { JsonPlace } from '../../../src/base/source/json-place.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { restRoutes } from '../../../src/compiler/api/rest-routes.js';
import { compile } from '../../../src/compiler/compile.js';
import type { GqlOperation } from '../../../src/compiler/schema/gql-schema.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { replayExamples } from '../../../src/tools/cli/commands/import/replay.js';
import { readYaml } from '../../../src/tools/cli/files/read-yaml.js';
import { type OwnMistake, ownMistakes } from './own-schemas.js';
import { collectionFacts, graphqlFacts, openApiFacts, routeKey, type SourceOperation } from './source-facts.js';

interface Facts {
  /** The version of the API; a GraphQL schema has none. */
  readonly version: string;
  readonly operations: readonly SourceOperation[];
  /** Of a GraphQL schema. */
  readonly inputs?: { readonly all: number; readonly kept: number; readonly lost: readonly string[] };
  /** Of an OpenAPI document. */
  readonly mistakeOf?: OwnMistake;
}

const [file = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const before = process.cpuUsage();
const { value: imported, diagnostics } = importDescription(createSourceFile(basename(file), text), readYaml);
const { user, system } = process.cpuUsage(before);
const seconds = (user + system) / 1e6;
if (imported === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
const topology = { name: 'topology.gg', source: imported.text };
const { schema } = analyze(topology);
const compiled = compile(imported.text);
const { losses } = imported;

const facts = factsOf();
const byKey = operationsByKey();
/** The operations that do not have their route; without a reason, the report does not have them. */
const withoutRoute = facts.operations.flatMap(({ key, place }) => {
  const reasons = losses.filter((loss) => loss.place === place).map(({ reason }) => reason);
  const shared = reasons.find((reason) => reason.includes('matches requests of the route of'));
  if (byKey.has(key) && shared === undefined) return [];
  return [{ key, place, reason: shared ?? reasons.find((reason) => /\broutes?\b/i.test(reason)) ?? reasons[0] }];
});
const renamed = losses.flatMap(({ place, reason }) => {
  const [, name] = /^It is named (\w+)/.exec(reason) ?? [];
  return name === undefined ? [] : [{ place, name }];
});
const dropped = facts.operations.flatMap(({ key, place, required }) => {
  const found = operationAt(key, place);
  if (found === undefined) return [];
  const names = new Set(found.arguments.map(({ name }) => name));
  const headers = new Set(found.arguments.map(({ header }) => header?.toLowerCase()));
  return required.flatMap((one) => {
    const isIn =
      (one.in === 'header' ? headers.has(one.name.toLowerCase()) : names.has(one.name)) ||
      (one.in === 'path' && found.route !== undefined);
    if (isIn || renamed.some(({ place: at, name }) => at.startsWith(one.place) && names.has(name))) return [];
    const loss = losses.find(({ place: at, subject }) => at === place && subject.includes(one.name));
    return [{ key, place, name: one.name, in: one.in, reason: loss?.reason }];
  });
});

const server = createGqlServer({
  topologies: [topology],
  federation: false,
  authenticate: () => ({ id: 'a' }),
});
await server.ready;
const document = await server.fetch(new Request('http://localhost/openapi.json'));
// The place of each is its number, by which it is found again.
const numbered = imported.examples.map((example, at) => ({ ...example, place: String(at) }));
const proof = await replayExamples(imported.text, numbered);
const mistakeOf = facts.mistakeOf ?? (() => undefined);
const refused = proof.refused.map(({ place, ...one }) => {
  const example = imported.examples[Number(place)] as SourceExample;
  const part = /^There is no parameter|^“/.test(one.reason) ? 'request' : 'response';
  return { ...one, place: example.place, own: mistakeOf(part, example) };
});

console.log(
  JSON.stringify({
    version: facts.version,
    operations: facts.operations.length,
    withRoute: facts.operations.length - withoutRoute.length,
    withoutRoute,
    required: facts.operations.reduce((sum, { required }) => sum + required.length, 0),
    dropped,
    inputs: facts.inputs,
    isServed: compiled.ok && document.status === 200,
    types: imported.types,
    losses: losses.length,
    examples: imported.examples.length,
    refused,
    seconds,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
);

/** The operation that was imported from a place, whose route another one may have. */
function operationAt(key: string, place: string): GqlOperation | undefined {
  const withoutRoute = losses.find((loss) => loss.place === place && loss.subject.startsWith('route of operation '));
  const name = withoutRoute?.subject.replace('route of operation ', '');
  if (name === undefined) return byKey.get(key);
  return [...schema.queries, ...schema.mutations].find((one) => one.name === name);
}

function factsOf(): Facts {
  if (imported?.format === 'GraphQL') {
    const given = graphqlFacts(text);
    const made = graphqlFacts(compiled.artifacts?.['schema.graphql'] ?? '').inputs;
    const others = [...given.inputs].filter(([name, fields]) => made.get(name) !== fields).map(([name]) => name);
    const { size } = given.inputs;
    return {
      version: '',
      operations: given.operations,
      inputs: { all: size, kept: size - others.length, lost: others },
    };
  }
  const read = isYaml(text) ? readYaml(text) : { value: JSON.parse(text) };
  const root = new JsonPlace('value' in read ? read.value : undefined, '');
  if (imported?.format === 'OpenAPI') {
    const { operations, resolve } = openApiFacts(root);
    return {
      version: root.at('info')?.text('version') ?? '',
      operations,
      mistakeOf: ownMistakes(root, resolve),
    };
  }
  return { version: '', operations: collectionFacts(root.at('collection') ?? root) };
}

function operationsByKey(): ReadonlyMap<string, GqlOperation> {
  if (imported?.format === 'GraphQL') {
    const kinds = [
      ['query', schema.queries],
      ['mutation', schema.mutations],
      ['subscription', schema.subscriptions],
    ] as const;
    return new Map(kinds.flatMap(([kind, all]) => all.map((one) => [`${kind} ${one.name}`, one] as const)));
  }
  return new Map(restRoutes(schema).map(({ method, path, operation }) => [routeKey(method, path), operation]));
}
