import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Loss } from '../../../src/analysis/import/draft/draft.js';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import { federationFragment } from '../../../src/compiler/federation-fragment.js';
import { standardScalars } from '../../../src/compiler/graph/standard-scalars.js';
import { printTypeRef } from '../../../src/compiler/graph/type-ref.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';
import { factsOf, streamUrls } from './collection-facts.js';

const golden = fileURLToPath(new URL('../../../golden', import.meta.url));
const cases = readdirSync(golden).filter((name) => existsSync(join(golden, name, 'schema.graphql')));

/** Collections show default fields as the shape of an answer, without the edge or the field that names them. */
const defaultFields = 'language-fields';

/** The topology that an import makes of a text. */
function imported(text: string): string {
  const { value, diagnostics } = importDescription(createSourceFile('description', text));
  expect(diagnostics).toEqual([]);
  return value?.text ?? '';
}

/** An SDL lists the standard scalars of declared errors and of internal parts, too, but not these parts. */
function withoutUnusedScalars(sdl: string): string {
  return sdl.replace(/(?:"""[^"\n]*"""\n)?scalar (\w+)[^\n]*\n\n/g, (definition, name: string) =>
    definition.includes('@node') || new RegExp(`: \\[*${name}\\b`).test(sdl) ? definition : '',
  );
}

describe('the SDL of a topology', () => {
  test.each(cases)('survives an import: %s', (name) => {
    const sdl = readFileSync(join(golden, name, 'schema.graphql'), 'utf8');
    const isEmpty = !/@topology\(edge: "(?:PROCESS|FOLD|FORK)/.test(sdl);
    if (isEmpty) return expectNothing(sdl);
    expect(compile(imported(sdl)).artifacts?.['schema.graphql']).toBe(sdl);
  });

  test.each(['', 'Record', 'Input'])('survives an import with a source without fields, with the label %j', (label) => {
    const source = label === '' ? '(source)' : `(source: ${label})`;
    const edges = ['', '{ typed: ID! }', '{ id: ID! }', '{ id: ID!, typed: Int }'].map(
      (args, at) => `(source)-[:PROCESS ${args}]->(found_${at} { name: String })`,
    );
    const sdl = compile([source, ...edges].join('\n')).artifacts?.['schema.graphql'] ?? '';
    expect(compile(imported(sdl)).artifacts?.['schema.graphql']).toBe(sdl);
  });

  test('survives an import with chains, whose inputs are nested or whose goal has the name of a query', () => {
    const sdl =
      compile(`(user { id: ID! }) (order { id: ID! }) (form: Input { userId: ID!, inner: Inner, note: String })
        (inner: Input { userId: ID!, size: Int! })
        (root)-[:FOLD { operation: 'signUp', name: String!, returns: User! }]->(user)
        (root)-[:FOLD { operation: 'order', form: Form!, returns: Order!, chain: true }]->(order)
        (root)-[:PROCESS { operation: 'order', id: ID!, chain: true }]->(order)`).artifacts?.['schema.graphql'] ?? '';
    expect(sdl).toContain('order_mutationChain(');
    expect(sdl).toContain('input Order_mutationArgumentsFormInner {');
    expect(compile(imported(sdl)).artifacts?.['schema.graphql']).toBe(sdl);
  });

  test('survives an import, for any topology', () => {
    fc.assert(
      fc.property(topologies(), ({ text }) => {
        const sdl = compile(text).artifacts?.['schema.graphql'];
        fc.pre(sdl !== undefined && /@topology\(edge: "(?:PROCESS|FOLD|FORK)/.test(sdl));
        const again = compile(imported(sdl)).artifacts?.['schema.graphql'] ?? '';
        expect(again).toBe(withoutUnusedScalars(sdl));
      }),
      { numRuns: runs(100) },
    );
  });
});

/**
 * A document without the order of its members, its examples of calls, the lines of its edges, and the standard scalars
 * that only internal parts use.
 */
function describedBy(document: string): unknown {
  return JSON.parse(document, (key, value) => {
    if (key === 'line' || key === 'example') return undefined;
    const isUsed = (name: string) => document.includes(`"#/components/schemas/${name}"`);
    if (key !== 'schemas') return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !standardScalars.has(name) || isUsed(name)));
  });
}

/** The operations of a document and the schemas that they lead to, without those that are reported. */
function withoutParts(document: string, losses: readonly Loss[]) {
  // Links lead to and from operations that are reported.
  const described = JSON.parse(JSON.stringify(describedBy(document)), (key, value) =>
    key === 'links' ? undefined : value,
  ) as Described;
  const { paths, components } = described;
  const schemas = new Map(Object.entries(components?.schemas ?? {}));
  const remove = (name: string) => {
    for (const derived of [name, `${name}.Narrowed`, `${name}.Variant`, `${name}Input`]) schemas.delete(derived);
  };
  for (const { place, reason } of losses) {
    const [, area, key = '', part = ''] = place
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (area === 'paths') delete paths[key]?.[part];
    if (area === 'components' && key === 'schemas') remove(part);
    const unfit = /does not fit the interface (\w+):/.exec(reason)?.[1];
    if (unfit !== undefined) remove(unfit);
  }
  const kept = new Map<string, unknown>();
  const waiting: unknown[] = [paths];
  for (const part of waiting) {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas.get(name);
      if (schema === undefined || kept.has(name)) continue;
      kept.set(name, schema);
      waiting.push(schema);
    }
  }
  return { paths, schemas: Object.fromEntries(kept) };
}

interface Described {
  readonly paths: Readonly<Record<string, Record<string, unknown>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

describe('the policy and the delays of a race', () => {
  const quoted = (word: string, values: readonly unknown[]) =>
    fc.constantFrom('', ...values.map((value) => `${word}: ${value}`));
  const policy = fc
    .tuple(
      quoted('failure', ["'cancel'", "'vent'", "'shield'"]),
      quoted('timeoutMs', [200]),
      quoted('deadlineMs', [500]),
      quoted('quorum', [2]),
    )
    .map((words) => words.filter((word) => word !== ''));
  const edge = fc.record({
    from: fc.shuffledSubarray(['near', 'far', 'archive', 'copy'], { minLength: 1 }),
    after: quoted('after', ["'0ms'", "'20ms'", "'1.5s'"]),
    open: quoted('open', ["'public'"]),
  });

  test('survive imports of the SDL and the OpenAPI document', () => {
    fc.assert(
      fc.property(policy, fc.array(edge, { minLength: 1, maxLength: 3 }), (words, edges) => {
        const races = edges.map(({ from, after, open }) => {
          // The reasons of a branch on several edges have another order afterwards.
          const settings = [...words, after, edges.length === 1 ? open : ''].filter((word) => word !== '').join(', ');
          return `(${from.join(' | ')})-[:RACE { ${settings} }]->(page)`;
        });
        const nodes = ['near', 'far', 'archive', 'copy'].map((id) => `(${id} { text: String! })`).join('\n');
        const text = `${nodes}\n${races.join('\n')}\n(root)-[:PROCESS]->(near | far | archive | copy | page)`;
        const { artifacts } = compile(text);
        fc.pre(artifacts !== undefined);
        const ofSdl = compile(imported(artifacts['schema.graphql'])).artifacts;
        expect(ofSdl?.['schema.graphql']).toBe(artifacts['schema.graphql']);
        const ofDocument = compile(imported(artifacts['openapi.json'])).artifacts;
        expect(describedBy(ofDocument?.['openapi.json'] ?? '{}')).toEqual(describedBy(artifacts['openapi.json']));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('an OpenAPI document', () => {
  const reduced: ReadonlySet<string> = new Set([
    // REST does not return the fields of this case, and says so.
    'language-field-arguments',
    // The report names the field of the input that another argument of its name has replaced.
    'GG3027-argument-declared-twice',
  ]);
  const described = cases.filter((name) => !reduced.has(name));

  test.each(described)('survives an import: %s', (name) => {
    const document = readFileSync(join(golden, name, 'openapi.json'), 'utf8');
    if (document.includes('"paths": {}')) return expectNothing(document);
    const again = compile(imported(document)).artifacts?.['openapi.json'] ?? '{}';
    expect(describedBy(again)).toEqual(describedBy(document));
  });

  test('keeps every operation, whatever its name is beside the others', () => {
    const names = ['user', 'postUser', 'getUser', 'post', 'get', 'putPostUser', 'putPostUser_', 'users', 'deleteUser'];
    const operation = fc.record({
      kind: fc.constantFrom('PROCESS', 'FOLD', 'FORK'),
      name: fc.constantFrom(...names),
      route: fc.option(fc.tuple(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), fc.constantFrom(...names, 'a/b'))),
    });
    const kept = (text: string) => {
      const { schema } = compile(text);
      return [schema.queries, schema.mutations, schema.subscriptions].map((list) =>
        list.map(({ name }) => name).sort(),
      );
    };
    fc.assert(
      fc.property(
        fc.uniqueArray(operation, { minLength: 1, maxLength: 8, selector: ({ kind, name }) => kind + name }),
        (operations) => {
          const edges = operations.map(({ kind, name, route }) => {
            const [method, path] = route ?? [];
            const fits = kind === 'PROCESS' ? method === 'GET' : kind === 'FOLD' && method !== 'GET';
            const given = fits && path !== undefined ? `, route: '${method} /api/${path}'` : '';
            return `(thing)-[:${kind} { operation: '${name}'${given} }]->(thing)`;
          });
          const text = ['(thing { id: ID!, label: String })', ...edges].join('\n');
          const result = compile(text);
          fc.pre(result.ok);
          expect(kept(imported(result.artifacts['openapi.json']))).toEqual(kept(text));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('keeps an id that a link fills in, whatever its pattern makes of its example', () => {
    const text = `
      (slot { id: ID!, label: String })
      (slot)-[:FOLD { operation: 'open', label: String }]->(slot)
      (slot)-[:PROCESS { operation: 'slot',
        /// @pattern ^s-[0-9]+$
        id: ID! }]->(slot)`;
    const document = compile(text).artifacts?.['openapi.json'] ?? '';
    expect(document).toContain('"operationId": "slot"');
    const again = compile(imported(document)).artifacts?.['openapi.json'] ?? '';
    expect(describedBy(again)).toEqual(describedBy(document));
  });

  test('survives an import, except for reported parts', () => {
    fc.assert(
      fc.property(topologies(), ({ text }) => {
        const document = compile(text).artifacts?.['openapi.json'] ?? '';
        fc.pre(document.includes('x-topology'));
        const { value, diagnostics } = importDescription(createSourceFile('openapi.json', document));
        const [refused] = diagnostics;
        // The reason why the only operation is lost.
        if (refused !== undefined)
          return expect(refused.message).toMatch(/no operations to import \((query|mutation|subscription) \w+: /);
        const losses = value?.losses ?? [];
        const again = compile(value?.text ?? '').artifacts?.['openapi.json'] ?? '{}';
        expect(withoutParts(again, losses)).toEqual(withoutParts(document, losses));
        const ofProject = /project file|“authenticate”/;
        if (losses.every(({ reason }) => ofProject.test(reason)))
          expect(describedBy(again)).toEqual(describedBy(document));
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('a form in an OpenAPI document', () => {
  const inputs = `
    (new_picture: Input { name: String = 'x', picture: File! })
    (scan: Input { front: File!, back: File! })
    (size: Input { width: Int! })`;
  const topology = (args: string, more = '') => `${inputs}${more}
    (root)-[:PROCESS { id: ID! }]->(profile { id: ID! })
    (root)-[:FOLD { operation: 'send', ${args} }]->(profile)`;

  test.each([
    'picture: File!',
    'id: ID!, user_id: ID, name: String!, born: Date, limit: Int = 5, picture: File!',
    'labels: [String!]!, size: Size, sizes: [Size!], picture: File!',
    'at: NewPicture!',
    'at: NewPicture!, text: String, scan: Scan!, last: File!',
  ])('keeps the arguments %s', (args) => {
    const document = compile(topology(args)).artifacts?.['openapi.json'] ?? '';
    const again = imported(document);
    expect(describedBy(compile(again).artifacts?.['openapi.json'] ?? '')).toEqual(describedBy(document));
    const { schema } = compile(again);
    const types = schema.mutations[0]?.arguments.map(({ name, type }) => `${name}: ${printTypeRef(type)}`);
    // A form cannot carry null, so the document does not show whether null can replace a default.
    expect(types?.join(', ')).toBe(args.replace('Int = 5', 'Int!'));
  });

  test('reports an input that has the fields of another, and one that the document lacks', () => {
    const more = `(other_scan: Input { front: File!, back: File! })`;
    const document = compile(topology('scan: OtherScan!', more)).artifacts?.['openapi.json'] ?? '';
    const lossesOf = (text: string) =>
      importDescription(createSourceFile('openapi.json', text)).value?.losses.map(({ reason }) => reason);
    expect(lossesOf(document)).toContain('It is a Scan: OtherScan has the same fields.');
    const without = document.replaceAll('"scan.front"', '"scan.top"');
    expect(lossesOf(without)).toContain('No input has the fields of these parts.');
  });
});

describe('a collection', () => {
  test.each(cases.filter((name) => name !== defaultFields))('keeps its operations in an import: %s', (name) => {
    const collection = readFileSync(join(golden, name, 'collection.json'), 'utf8');
    if (isEmpty(collection)) return expectNothing(collection);
    const again = compile(imported(collection)).artifacts?.['collection.json'] ?? '';
    expect(factsOf(again)).toEqual(factsOf(collection));
    expect(streamUrls(again)).toEqual(streamUrls(collection));
  });

  test('keeps its operations in an import, for any topology', () => {
    fc.assert(
      fc.property(topologies(), ({ text }) => {
        const collection = compile(text).artifacts?.['collection.json'] ?? '';
        if (isEmpty(collection)) return expectNothing(collection);
        const again = compile(imported(collection)).artifacts?.['collection.json'] ?? '';
        expect(factsOf(again)).toEqual(factsOf(collection));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('policies of steps and partitions of events in a collection', () => {
  const read = (name: string) => readFileSync(join(golden, name, 'collection.json'), 'utf8');
  const policiesOf = (text: string) => {
    const { variable } = JSON.parse(text) as { variable: { key: string; value: string }[] };
    return JSON.parse(variable.find(({ key }) => key === 'answers')?.value ?? '').policies;
  };

  test.each(['language-run-policies', 'language-run-waits', 'event-partitions', 'GG3119-policy-without-run'])(
    'survive an import: %s',
    (name) => {
      const again = compile(imported(read(name))).artifacts?.['collection.json'] ?? '';
      expect(policiesOf(read(name))).toBeDefined();
      expect(policiesOf(again)).toEqual(policiesOf(read(name)));
    },
  );

  test('are reported alone if the collection does not show what they name', () => {
    const lossesOf = (text: string) =>
      importDescription(createSourceFile('collection', text)).value?.losses.map(
        ({ subject, reason }) => `${subject}: ${reason}`,
      );
    expect(lossesOf(read('GG3124-partition-by-guarded-field'))).toContain(
      'partition of operation orderPlaced: The events of orderPlaced cannot be partitioned by “customerId”: it is not a scalar field of all of them.',
    );
    const unknown = read('language-run-policies').replace('cancelShipment\\",\\"retries', 'gone\\",\\"retries');
    expect(lossesOf(unknown)).toContain(
      'undo of operation bookShipment: gone cannot undo bookShipment: no mutation has this name.',
    );
  });
});

/** Whether a collection has no requests. */
function isEmpty(collection: string): boolean {
  return JSON.parse(collection).item.every(({ item }: { item: readonly object[] }) => item.length === 0);
}

/** There is no operation to import. */
function expectNothing(text: string): void {
  expect(importDescription(createSourceFile('description', text)).diagnostics[0]?.code).toBe('GG4023');
}

/** The formats of the artifacts that can be imported. */
const formats = ['schema.graphql', 'openapi.json', 'collection.json'] as const;

test.each(formats)('imports %s of a server with the federation layer, without that layer', (file) => {
  const { artifacts } = compile('(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })', {
    federation: true,
  });
  const { value } = importDescription(createSourceFile(file, artifacts?.[file] ?? ''));
  const again = compile(value?.text ?? '', { federation: true });
  expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(value?.text).not.toContain('federation');
  for (const { name } of federationFragment.objects ?? []) {
    expect(value?.losses.map(({ subject }) => subject)).toContain(`type ${name}`);
  }
});
