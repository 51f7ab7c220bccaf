import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import type { GraphNode } from '../../../src/compiler/graph/graph-ir.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';
import { printTypeRef } from '../../../src/compiler/graph/type-ref.js';
import { check, findingOf, fixed, project } from '../schema/check.js';

const ids = (nodes: readonly GraphNode[]) => nodes.map(({ id }) => id);

const edgesOf = (text: string) =>
  project(text).ir.edges.map(
    ({ type, sources, targets }) => `${ids(sources).join(' | ')} ${type} ${ids(targets).join(' | ')}`,
  );

describe('the edges of a topology', () => {
  it.each([
    ['(a)-[:PROCESS]->(b)', ['a PROCESS b']],
    ['(a)-[:FORK]->(b|c)-[:RACE]->(d)', ['a FORK b | c', 'b | c RACE d']],
    ['(a | a | b)-[:FOLD]->(c, c)', ['a | b FOLD c']],
    ['(a | b | a)-[:FOLD]->(c)', ['a | b FOLD c']],
    ['(q)-[:FORK]->(q)', ['q FORK q']],
    ['(a)-[:MEMBER_OF]->(b)', ['a MEMBER_OF b']],
    ['f(x)', ['x PROCESS f']],
    ['x.f().g()', ['x PROCESS f', 'f PROCESS g']],
    ['(a)', []],
  ])('%s', (text, edges) => {
    expect(edgesOf(text)).toEqual(edges);
  });

  it('are in source order, including call chains', () => {
    expect(edgesOf('(a)-[:FOLD]->(b)\nf(x)\n(c)-[:FORK]->(d)')).toEqual(['a FOLD b', 'x PROCESS f', 'c FORK d']);
  });

  it('have their places from the first source to the last target', () => {
    const text = '(a)-[:FORK]->(b | c)-[:RACE]->(d)\nx.f().g()\nh(y)';
    const places = project(text).ir.edges.map(({ span }) => text.slice(span.start, span.end));
    expect(places).toEqual(['(a)-[:FORK]->(b | c)', '(b | c)-[:RACE]->(d)', 'x.f', 'f().g', 'h(y']);
  });

  it('of a broken call chain are read up to the mistake', () => {
    const file = createSourceFile('test.gg', 'x');
    const chain = (steps: string[]) => ({
      kind: 'CallChain' as const,
      start: 0,
      end: 1,
      steps: steps.map((name) => ({ name, start: 0, end: 1 })),
      doc: undefined,
    });
    const statements = [chain([]), chain(['x']), chain(['x', 'y'])];
    const { value } = lowerGraph({ kind: 'GraphAST', documents: [{ file, statements, comments: [] }] });
    expect(value.edges.map(({ sources, targets }) => [ids(sources), ids(targets)])).toEqual([[['x'], ['y']]]);
  });

  it('take the doc comment before them, or the one before their statement', () => {
    const text = '/// First.\n(a)-[:PROCESS]->(b)\n/// Second.\n-[:PROCESS]->(c)-[:PROCESS]->(d)\n/// Call.\nx.f().g()';
    expect(project(text).ir.edges.map(({ description }) => description)).toEqual([
      'First.',
      'Second.',
      undefined,
      'Call.',
      undefined,
    ]);
  });
});

describe('the properties of an edge', () => {
  const edgeWith = (properties: string) => `
    (a)-[:PROCESS { ${properties} }]->(b)
    (user { name: String })
    (status: Enum { values: [ACTIVE] })
  `;

  const readEdge = (properties: string) => {
    const [edge] = project(edgeWith(properties)).ir.edges;
    if (edge === undefined) throw new Error('there is no edge');
    return {
      args: edge.args.map(({ name, type, fallback }) => [name, printTypeRef(type), fallback]),
      returns: edge.returns && printTypeRef(edge.returns.type),
      settings: Object.fromEntries([...edge.settings].map(([key, { value }]) => [key, value])),
    };
  };

  it('are arguments by their types, the result by its name, and settings by their values', () => {
    const properties =
      "id: ID!, status: Status = ACTIVE, returns: [User!]!, operation: 'x', note: 5, other: null, weights: [1, 'a', []]";
    expect(readEdge(properties)).toEqual({
      args: [
        ['id', 'ID!', undefined],
        ['status', 'Status', 'ACTIVE'],
      ],
      returns: '[User!]!',
      settings: { operation: 'x', note: 5, other: null, weights: [1, 'a', []] },
    });
  });

  it('may be repeated with the same value', () => {
    const properties =
      "id: ID = 1, id: ID = 1, returns: User, returns: User, note: 'x', note: 'x', list: [1, [2]], list: [1, [2]]";
    expect(readEdge(properties)).toEqual({
      args: [['id', 'ID', '1']],
      returns: 'User',
      settings: { note: 'x', list: [1, [2]] },
    });
    check(edgeWith(properties), {});
  });

  it.each([
    ['id: ID, id: Int', 'GG2006 «id: Int» + «id: ID»'],
    ['id: ID = 1, id: ID = 2', 'GG2006 «id: ID = 2» + «id: ID = 1»'],
    ["id: ID, id: 'x'", "GG2006 «id: 'x'» + «id: ID»"],
    ["id: 'x', id: ID", "GG2006 «id: ID» + «id: 'x'»"],
    ['n: 1, n: 2', 'GG2006 «n: 2» + «n: 1»'],
    ['returns: User, returns: Status', 'GG2006 «returns: Status» + «returns: User»'],
    ['mode: fast', 'GG2007 «fast»'],
    ["id: 'ID!'", "GG2009 «'ID!'»"],
    ['id: Idd!', 'GG2008 «Idd»'],
    ['id: ID = 1.5', 'GG2013 «1.5»'],
    ['n: 1e999', 'GG2020 «1e999»'],
    ['n: [red, green]', 'GG2014 «[red, green]»'],
    ['n: 5 = 6', 'GG2019 «5»'],
    ['__id: ID', 'GG3008 «__id»'],
    ['returns: Usr', 'GG2008 «Usr»'],
    ['id: Idd!, n: 5', 'GG2008 «Idd»'],
    ['returns: [Usr!]', 'GG2008 «Usr»'],
    ["returns: 'User!'", "GG2018 «'User!'»"],
    ["returns: 'anything'", "GG2018 «'anything'»"],
    ['returns: 5', 'GG2018 «5»'],
    ['returns: User = null', 'GG2018 «User»'],
  ])('%s is reported', (properties, finding) => {
    check(edgeWith(properties), { findings: [finding] });
  });

  it('are named with their owner in the message of a clash', () => {
    expect(findingOf(edgeWith('n: 1, n: 2'), 'GG2006').message).toBe(
      'This PROCESS edge declares “n” twice, as 1 and as 2.',
    );
  });

  it.each([
    ['returns: 5', 'GG2018', '“returns” must be a type, such as User or [User!]!, and no default.'],
    ['__id: ID', 'GG3008', '“__id” cannot be a GraphQL name: names that begin with __ are reserved by GraphQL.'],
  ])('%s is reported as %s: %s', (properties, code, message) => {
    expect(findingOf(edgeWith(properties), code).message).toBe(message);
  });

  it('have a fix for a quoted result type, but not for other strings', () => {
    expect(findingOf(edgeWith("returns: 'User!'"), 'GG2018').fix?.description).toBe('Remove the quotes');
    expect(fixed(edgeWith("returns: '[User!]!'"), 'GG2018')).toBe(edgeWith('returns: [User!]!'));
    expect(findingOf(edgeWith("returns: 'anything'"), 'GG2018').fix).toBeUndefined();
  });
});
