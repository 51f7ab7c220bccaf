import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/base/diagnostics/diagnostic.js';
import type { GraphEdge, GraphIR, GraphNode } from '../../../../src/compiler/graph/graph-ir.js';
import { named } from '../../../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlUnionType } from '../../../../src/compiler/schema/gql-schema.js';
import { checkSize } from '../../../../src/compiler/schema/projection/check-size.js';

const span = { file: 'test.gg', start: 0, end: 1 };
const argument: GqlArgument = {
  name: 'a',
  description: undefined,
  type: named('Int'),
  fallback: undefined,
  span,
};

/** An operation with so many arguments, of an edge from so many sources; of a layer without sources. */
function operation(name: string, args: number, sources?: number): GqlOperation {
  const from = new Array<string>(sources ?? 0).fill('s');
  const edges = sources === undefined ? [] : [{ edge: 'PROCESS', from, to: name, span }];
  const list = new Array<GqlArgument>(args).fill(argument);
  return { kind: 'query', name, description: undefined, arguments: list, type: named('A'), edges };
}

function union(name: string, members: number): GqlUnionType {
  const edges = [{ edge: 'RACE', from: [], to: name, span }];
  return {
    name,
    description: undefined,
    members: new Array<string>(members).fill('M'),
    target: 'T',
    edges,
  };
}

/** A topology that declares so many fields, and an edge with so many arguments, sources and targets. */
function topology(fields = 0, args = 0, sources = 0, targets = 0): GraphIR {
  const node = { fields: new Array(fields).fill(argument) } as unknown as GraphNode;
  const edge = {
    args: new Array(args).fill(argument),
    sources: new Array(sources).fill(node),
    targets: new Array(targets).fill(node),
  } as unknown as GraphEdge;
  const nodes = new Map([['n', node]]);
  return { sources: [], nodes, nodesByType: new Map(), typesInUse: new Set(), edges: [edge] };
}

function findings(ir: GraphIR, operations: readonly GqlOperation[], unions: readonly GqlUnionType[] = []): string[] {
  const diagnostics: Diagnostic[] = [];
  checkSize(ir, operations, unions, diagnostics);
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

describe('the size of an API', () => {
  it.each([
    ['20,000 arguments, sources and members', topology(), 20_000],
    ['ten more for a field', topology(1), 20_010],
    ['ten more for an argument', topology(0, 1), 20_010],
    ['ten more for a source', topology(0, 0, 1), 20_010],
    ['ten more for a target', topology(0, 0, 0, 1), 20_010],
    ['ten more for each of them', topology(2, 3, 4, 5), 20_140],
  ])('may be %s', (_title, ir, allowed) => {
    expect(findings(ir, [operation('a', allowed, 0)])).toEqual([]);
    expect(findings(ir, [operation('a', allowed, 1)])).toHaveLength(1);
    expect(findings(ir, [operation('a', allowed - 8, 4), operation('b', 1, 3)])).toEqual([]);
    expect(findings(ir, [operation('a', allowed - 8, 4), operation('b', 2, 3)])).toHaveLength(1);
    expect(findings(ir, [], [union('A', allowed)])).toEqual([]);
    expect(findings(ir, [], [union('A', allowed + 1)])).toHaveLength(1);
  });

  it('is reported once, at the largest operation or union', () => {
    const [finding = '', ...more] = findings(
      topology(1),
      [operation('small', 3, 0), operation('large', 30_000, 1), operation('other', 30_000, 1)],
      [union('Small', 5)],
    );
    expect(more).toEqual([]);
    expect(finding).toContain('GG3025');
    expect(finding).toContain('large');
  });

  it('is not limited for the operations of layers, which have no place', () => {
    expect(findings(topology(), [operation('a', 50_000)])).toEqual([]);
  });
});
