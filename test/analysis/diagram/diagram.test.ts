import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDiagram, diagramNames } from '../../../src/analysis/diagram/diagram.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';
import { topologies } from '../../arbitraries/topology.js';
import { describeDiagram, diagramOf } from './diagrams.js';

const service = readFileSync('docs/examples/service.gg', 'utf8');

describe('the diagram of a topology', () => {
  it('has a line for each edge, named after what the edge became', () => {
    const { lines } = describeDiagram(diagramOf(service).diagram);
    expect(lines).toEqual([
      'root --[PROCESS readUser query]--> read_user',
      'request --[PROCESS scanResult query]--> scan_result',
      'input_user --[FOLD saveUser mutation]--> save_user',
      'save_user --[FORK userSaved subscription]--> user_saved',
      'cached_verdict --[union]-- •',
      'fresh_verdict --[union]-- •',
      '• --[RACE VerdictRace union]--> verdict',
    ]);
  });

  it('leaves out and counts nodes without edges', () => {
    const { diagram } = diagramOf(service);
    expect(describeDiagram(diagram).boxes).not.toContain('user_status Enum enum');
    expect(diagram.leftOut).toBe(1);
  });

  it('with types has all nodes, and the fields that refer to nodes', () => {
    const { diagram } = diagramOf(service, { types: true });
    const { boxes, lines } = describeDiagram(diagram);
    expect(boxes).toContain('user_status Enum enum');
    expect(diagram.leftOut).toBe(0);
    expect(lines.slice(-2)).toEqual([
      'read_user --[status field]--> user_status',
      'scan_result --[verdict field]--> verdict',
    ]);
  });

  it('draws all nodes of a topology without edges', () => {
    const { boxes, lines } = describeDiagram(diagramOf('(a { b: B })\n(b)\n(c: Scalar)').diagram);
    expect(boxes).toEqual(['a object', 'b object', 'c Scalar scalar']);
    expect(lines).toEqual(['a --[b field]--> b']);
  });

  it('draws edges that are not projected, calls, and an edge of a node to itself', () => {
    const { lines } = describeDiagram(diagramOf('(a)-[:MEASURE]->(b)\nx.f()\n(q)-[:FORK]->(q)').diagram);
    expect(lines).toEqual([
      'a --[MEASURE nothing]--> b',
      'x --[PROCESS f query]--> f',
      'q --[FORK q subscription]--> q',
    ]);
  });

  it('draws one line for each target', () => {
    const { lines } = describeDiagram(diagramOf('(a | b)-[:FORK]->(c | d)').diagram);
    expect(lines).toEqual([
      'a --[subscription]-- •',
      'b --[subscription]-- •',
      '• --[FORK c subscription]--> c',
      '• --[FORK d subscription]--> d',
    ]);
  });

  it('connects existing boxes for any topology', () => {
    fc.assert(
      fc.property(topologies(), fc.nat(), ({ text }, number) => {
        const { ast, schema } = analyze(text);
        const ir = lowerGraph(ast).value;
        const names = diagramNames(schema);
        const operation = names[number % names.length];
        const options = [{}, { types: true }, ...(operation === undefined ? [] : [{ operation }])];
        for (const option of options) {
          const diagram = createDiagram(ir, schema, option);
          if (diagram === undefined) throw new Error('there is nothing of that name');
          const keys = diagram.boxes.map(({ key }) => key);
          expect(new Set(keys).size).toBe(keys.length);
          for (const { from, to } of diagram.lines) {
            expect(keys).toContain(from);
            expect(keys).toContain(to);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the diagram of an operation', () => {
  it('focuses its edges, and includes adjacent edges and the nodes that fields refer to', () => {
    const { diagram } = diagramOf(service, { operation: 'scanResult' });
    expect(diagram.title).toBe('scanResult');
    expect(describeDiagram(diagram).lines).toEqual([
      'request ==[PROCESS scanResult query]==> scan_result',
      'cached_verdict --[union]-- •',
      'fresh_verdict --[union]-- •',
      '• --[RACE VerdictRace union]--> verdict',
      'scan_result --[verdict field]--> verdict',
    ]);
    expect(diagram.leftOut).toBe(6);
  });

  it('of a mutation includes the subscription that it triggers', () => {
    const { lines } = describeDiagram(diagramOf(service, { operation: 'saveUser' }).diagram);
    expect(lines).toEqual([
      'input_user ==[FOLD saveUser mutation]==> save_user',
      'save_user --[FORK userSaved subscription]--> user_saved',
    ]);
  });

  it('accepts a root type before the name of the operation', () => {
    const text = '(a)-[:PROCESS]->(thing)\n(b { x: Int })-[:FOLD]->(thing)';
    const focused = (operation: string) =>
      describeDiagram(diagramOf(text, { operation }).diagram).lines.filter((line) => line.includes('=='));
    expect(focused('thing')).toHaveLength(2);
    expect(focused('Query.thing')).toEqual(['a ==[PROCESS thing query]==> thing']);
    expect(focused('Mutation.thing')).toEqual(['b ==[FOLD thing mutation]==> thing']);
  });

  it('leaves out the other edges of a hub', () => {
    const many = Array.from({ length: 20 }, (_, at) => `(bus)-[:FORK]->(event_${at}: Event { id: ID! })\n`);
    const { lines } = describeDiagram(diagramOf(many.join(''), { operation: 'event3' }).diagram);
    expect(lines).toEqual(['bus ==[FORK event3 subscription]==> event_3']);
  });

  it('accepts the name of a union', () => {
    const { lines } = describeDiagram(diagramOf(service, { operation: 'VerdictRace' }).diagram);
    expect(lines).toContain('• ==[RACE VerdictRace union]==> verdict');
  });

  it('includes the types of its result and its arguments', () => {
    const text = '(near { x: Int })\n(b)\n(c)\n(a)-[:PROCESS { at: Near, returns: [C!] }]->(b)';
    const { boxes } = describeDiagram(diagramOf(text, { operation: 'b' }).diagram);
    expect(boxes).toEqual(['near object', 'b object', 'c object', 'a object']);
  });

  it('returns undefined for an unknown name', () => {
    const { ast, schema } = analyze(service);
    expect(createDiagram(lowerGraph(ast).value, schema, { operation: 'none' })).toBeUndefined();
  });

  it('lists the names of operations and unions as subjects', () => {
    expect(diagramNames(analyze(service).schema)).toEqual([
      'readUser',
      'scanResult',
      'saveUser',
      'userSaved',
      'VerdictRace',
    ]);
  });
});
