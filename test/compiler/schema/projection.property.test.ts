import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GraphNode } from '../../../src/compiler/graph/graph-ir.js';
import { baseName, printTypeRef, type TypeRef } from '../../../src/compiler/graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { runs } from '../../arbitraries/runs.js';
import { type AbstractEdge, type AbstractTopology, topologies } from '../../arbitraries/topology.js';
import { project } from './check.js';

/** Holds for every random topology; the text is shown when it does not. */
function always(property: (topology: AbstractTopology, projected: ReturnType<typeof project>) => void): void {
  fc.assert(
    fc.property(topologies(), (topology) => property(topology, project(topology.text))),
    { numRuns: runs(200) },
  );
}

/** What the edges of a type become: each name once, with the id of its target. */
function expectedOperations({ edges, nodes }: AbstractTopology, type: string): Map<string, string> {
  const camelNames = new Map(nodes.map(({ id, camelName }) => [id, camelName]));
  const expected = new Map<string, string>();
  for (const edge of edges) {
    if (edge.type !== type || edge.settings.some(({ name }) => name === 'internal')) continue;
    for (const id of edge.targets) expected.set(edge.name ?? (camelNames.get(id) as string), id);
  }
  return expected;
}

const names = (things: readonly { readonly name: string }[]) => things.map(({ name }) => name);
const sorted = (texts: Iterable<string>) => [...texts].sort();

describe('the projection of any topology', () => {
  it('has no errors and no warnings', () => {
    always((_, { diagnostics }) => {
      expect(diagnostics.filter(({ severity }) => severity !== 'information')).toEqual([]);
    });
  });

  it('has the right type for every node, and no type for an internal node', () => {
    always(({ nodes }, { schema }) => {
      const of = (kind: string) =>
        nodes.filter((node) => node.kind === kind && !node.internal).map(({ typeName }) => typeName);
      const objects = schema.objects.filter(({ node }) => node !== undefined);
      expect(sorted(names(objects))).toEqual(sorted(of('object')));
      expect(sorted(names(schema.enums))).toEqual(sorted(of('enum')));
      expect(sorted(names(schema.scalars.filter(({ node }) => node !== undefined)))).toEqual(sorted(of('scalar')));
      expect(sorted(names(schema.interfaces ?? []))).toEqual(sorted(of('interface')));
      expect(sorted(names(schema.problems ?? []))).toEqual(sorted(of('problem')));
      const declared = schema.inputs.filter((input) => input.of === undefined);
      expect(sorted(names(declared))).toEqual(sorted(of('input')));
      for (const { name, of: object } of schema.inputs) if (object !== undefined) expect(name).toBe(`${object}Input`);
      expect(sorted(schema.inputs.flatMap((input) => input.of ?? []))).toEqual(sorted(of('object')));
    });
  });

  it('has the access of every edge and field, and none on inputs', () => {
    always(({ nodes, edges }, { schema }) => {
      const { queries, mutations, subscriptions, objects, inputs, interfaces = [] } = schema;
      const operations = [...queries, ...mutations, ...subscriptions];
      for (const { name: operation, settings } of edges) {
        const made = operations.find(({ name }) => name === operation);
        if (made === undefined) continue;
        const text = (wanted: string) => settings.find(({ name }) => name === wanted)?.text;
        const lists = (['scopes', 'anyScope', 'roles'] as const).map((key) => {
          const names = JSON.parse(text(key) ?? 'null') as string[] | null;
          expect(made[key]).toEqual(names ?? undefined);
          return names;
        });
        const isOpen = lists.every((names) => names === null);
        expect(made.auth).toBe(isOpen ? text('auth')?.slice(1, -1) : 'required');
        expect(made.open).toBe(text('open')?.slice(1, -1));
      }
      for (const { typeName, fields } of nodes) {
        const type = [...objects, ...interfaces].find(({ name }) => name === typeName);
        for (const field of type?.fields ?? []) {
          const doc = fields.find(({ name }) => name === field.name)?.doc ?? [];
          const lists = (['scopes', 'anyScope', 'roles'] as const).map((key) => {
            const names = doc.flatMap((line) => new RegExp(`^@${key} (.*)$`).exec(line)?.[1]?.split(' ') ?? []);
            expect(field[key] ?? []).toEqual(names);
            return names;
          });
          expect(field.auth).toBe(
            lists.flat().length > 0 ? 'required' : doc.flatMap((line) => /^@auth (.*)$/.exec(line)?.[1] ?? [])[0],
          );
        }
      }
      const given = [...inputs.flatMap(({ fields }) => fields), ...operations.flatMap((one) => one.arguments)];
      expect(given.filter((value) => 'auth' in value || 'scopes' in value || 'roles' in value)).toEqual([]);
      const all = [...operations, ...[...objects, ...interfaces].flatMap(({ fields }) => fields)];
      expect(schema.security !== undefined).toBe(all.some(({ auth }) => auth !== undefined));
    });
  });

  it('has the fields and values of every node, in order', () => {
    always(({ nodes }, { schema, ir }) => {
      const raced = new Map(schema.unions.map(({ name, target }) => [target, name]));
      const interfaces = new Set(names(schema.interfaces ?? []));
      for (const node of nodes) {
        expect(sorted(ir.nodes.get(node.id)?.labels ?? [])).toEqual(sorted(node.labels));
        const declared = node.fields.map(({ name, type }) => {
          const union = raced.get(type.replace(/\W/g, ''));
          return `${name}: ${union === undefined ? type : `[${union}!]`}`;
        });
        if (node.internal) continue;
        const outputs = [...schema.objects, ...(schema.interfaces ?? []), ...(schema.problems ?? [])];
        const type = [...outputs, ...schema.inputs].find(({ name }) => name === node.typeName);
        const found = type?.fields.map((field) => `${field.name}: ${printTypeRef(field.type)}`);
        const implied = node.kind === 'problem' ? [] : ['id: ID!'];
        if (node.kind === 'object' || node.kind === 'interface' || node.kind === 'problem')
          expect(found).toEqual(declared.length === 0 ? implied : declared);
        if (node.kind === 'input' && node.fields.length > 0)
          expect(names(type?.fields ?? [])).toEqual(names(node.fields));
        const input = schema.inputs.find(({ of }) => of === node.typeName);
        const given = type?.fields.filter((field) => !interfaces.has(baseName(field.type))) ?? [];
        if (node.kind === 'object')
          expect(names(input?.fields ?? [])).toEqual(given.length === 0 ? ['id'] : names(given));
        expect(input?.fields.every((field) => field.type.kind !== 'nonNull') ?? true).toBe(true);
        const values = schema.enums.find(({ name }) => name === node.typeName)?.values ?? [];
        expect(values).toEqual(node.values);
      }
    });
  });

  it('has every edge, and one operation for each name of its kind', () => {
    always((topology, { schema, ir }) => {
      const shape = ({ type, sources, targets }: Pick<AbstractEdge, 'type' | 'sources' | 'targets'>) => ({
        type,
        sources,
        targets,
      });
      const ids = (nodes: readonly GraphNode[]) => nodes.map(({ id }) => id);
      const projected = ir.edges.map(({ type, sources, targets }) => ({
        type,
        sources: ids(sources),
        targets: ids(targets),
      }));
      expect(projected).toEqual(topology.edges.map(shape));
      const found = (operations: readonly GqlOperation[]) => operations.map(({ name, edges }) => [name, edges[0]?.to]);
      expect(found(schema.queries)).toEqual([...expectedOperations(topology, 'PROCESS')]);
      expect(found(schema.mutations)).toEqual([...expectedOperations(topology, 'FOLD')]);
      expect(found(schema.subscriptions)).toEqual([...expectedOperations(topology, 'FORK')]);
    });
  });

  it('has one union for each target of a race, of all its sources', () => {
    always(({ edges, nodes }, { schema }) => {
      const typeNames = new Map(nodes.map(({ id, typeName }) => [id, typeName]));
      const members = new Map<string, Set<string | undefined>>();
      for (const { type, sources, targets } of edges) {
        if (type !== 'RACE') continue;
        for (const target of targets) {
          const name = `${typeNames.get(target)}Race`;
          members.set(name, new Set([...(members.get(name) ?? []), ...sources.map((id) => typeNames.get(id))]));
        }
      }
      const found = new Map(schema.unions.map((union) => [union.name, new Set(union.members)]));
      expect(found).toEqual(members);
    });
  });

  it('gives every query the arguments of its edges and the fields of their inputs, or the fields of all their sources', () => {
    always(({ edges, nodes }, { schema }) => {
      const fields = new Map(nodes.map(({ id, fields: declared }) => [id, names(declared)]));
      const inputs = new Set(nodes.flatMap(({ id, kind }) => (kind === 'input' ? id : [])));
      for (const query of schema.queries) {
        const own = edges.filter(
          (edge) =>
            edge.type === 'PROCESS' &&
            query.edges.some(({ from, to }) => edge.sources.join() === from.join() && edge.targets.includes(to)) &&
            (edge.name === undefined || edge.name === query.name),
        );
        const possible = own.flatMap((edge) => {
          const giving = edge.sources.filter((id) => edge.args.length === 0 || inputs.has(id));
          return [...names(edge.args), ...giving.flatMap((id) => fields.get(id) ?? [])];
        });
        const pages = query.page === undefined ? [] : ['first', 'after', 'last', 'before'];
        for (const name of names(query.arguments)) expect([...possible, ...pages]).toContain(name);
        expect(new Set(names(query.arguments)).size).toBe(query.arguments.length);
      }
    });
  });

  it('refers only to existing types, with inputs only in input positions', () => {
    always((_, { schema }) => {
      const leaves = ['ID', 'String', 'Int', 'Float', 'Boolean', ...names(schema.enums), ...names(schema.scalars)];
      const composites = [...schema.objects, ...schema.unions, ...(schema.interfaces ?? [])];
      const outputs = new Set([...leaves, ...names(composites)]);
      const inputs = new Set([...leaves, ...names(schema.inputs)]);
      for (const type of outputTypes(schema)) expect(outputs).toContain(baseName(type));
      for (const type of inputTypes(schema)) expect(inputs).toContain(baseName(type));
    });
  });

  it('is deterministic', () => {
    always(({ text }, { schema }) => {
      expect(project(text).schema).toEqual(schema);
    });
  });
});

describe('a topology with errors anywhere', () => {
  it('never makes the projection throw', () => {
    const damage = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 20 }),
      instead: fc.string({ maxLength: 5 }),
    });
    fc.assert(
      fc.property(topologies(), fc.array(damage, { minLength: 1, maxLength: 3 }), ({ text }, damages) => {
        let broken = text;
        for (const { at, length, instead } of damages) {
          const start = at % (broken.length + 1);
          broken = broken.slice(0, start) + instead + broken.slice(start + length);
        }
        for (const { span } of project(broken).diagnostics) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeLessThanOrEqual(broken.length);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

function outputTypes(schema: GqlSchema): TypeRef[] {
  const types = [...schema.objects, ...(schema.interfaces ?? []), ...(schema.problems ?? [])];
  const fields = types.flatMap((type) => type.fields.map((field) => field.type));
  return [...fields, ...operationsOf(schema).map(({ type }) => type)];
}

function inputTypes(schema: GqlSchema): TypeRef[] {
  const fields = schema.inputs.flatMap((type) => type.fields.map((field) => field.type));
  const types = [...schema.objects, ...(schema.interfaces ?? [])];
  const nested = types.flatMap((type) => type.fields.flatMap((field) => field.arguments ?? []));
  return [
    ...fields,
    ...nested.map(({ type }) => type),
    ...operationsOf(schema).flatMap((operation) => operation.arguments.map(({ type }) => type)),
  ];
}

function operationsOf({ queries, mutations, subscriptions }: GqlSchema): GqlOperation[] {
  return [...queries, ...mutations, ...subscriptions];
}
