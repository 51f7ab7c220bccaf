import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSourceFile } from '../src/base/source/source-file.js';
import { compile } from '../src/compiler/compile.js';
import { parse } from '../src/compiler/syntax/parse.js';
import { parseWithRegexes } from './bench/baselines/regex-parser.js';
import { generateTopology } from './bench/generate.js';
import { generatePublicTopology } from './bench/generate-public.js';
import { schemaToTypeSpec } from './bench/peers/typespec.js';
import { writeReport } from './bench/report.js';
import { checkBaseline } from './bench/self-check.js';
import { rows } from './bench/targets.js';

const sizes = [1, 7, 100, 1_000];

describe('the generated topologies', () => {
  test.each(sizes)('with %i edges compile without findings except GG3026 and GG3032', (edges) => {
    const { ok, diagnostics } = compile(generateTopology({ edges }));
    // Like most topologies, they have sources without the label Input: of FOLD edges with required fields, and of edges
    // that declare their own arguments.
    const findings = diagnostics.filter(({ code }) => code !== 'GG3026' && code !== 'GG3032');
    expect({ ok, findings }).toEqual({ ok: true, findings: [] });
  });

  test.each(sizes)('have exactly %i edges', (edges) => {
    for (const restOnly of [false, true]) {
      expect(parseWithRegexes(generateTopology({ edges, restOnly })).edges).toHaveLength(edges);
    }
  });

  test('have a node with four properties and about 160 characters for each edge, and all four edge types', () => {
    const text = generateTopology({ edges: 1_000 });
    const { nodes, edges } = parseWithRegexes(text);
    expect(text.length / 1_000).toBeGreaterThan(150);
    expect(text.length / 1_000).toBeLessThan(170);
    const properties = [...nodes.values()].map((node) => Object.keys(node.properties).length);
    expect(properties.filter((count) => count === 4).length).toBeGreaterThan(900);
    expect(new Set(edges.map(({ type }) => type))).toEqual(new Set(['PROCESS', 'FOLD', 'FORK', 'RACE']));
    for (const mark of ['// ', '/// ', '/* ', ' | ']) expect(text).toContain(mark);
    expect(text).toMatch(/\)\s*-\[:PROCESS\]->\([^)]*\)\s*-\[:PROCESS\]->/);
  });

  test('depend on the seed only', () => {
    expect(generateTopology({ edges: 50, seed: 7 })).toBe(generateTopology({ edges: 50, seed: 7 }));
    expect(generateTopology({ edges: 50, seed: 7 })).not.toBe(generateTopology({ edges: 50, seed: 8 }));
  });

  test('have one REST operation for each edge if only these are requested', () => {
    const { schema } = compile(generateTopology({ edges: 100, restOnly: true }));
    expect(schema.queries.length + schema.mutations.length).toBe(100);
    expect(schema.unions).toEqual([]);
  });
});

describe('the texts like public files', () => {
  const text = generatePublicTopology(1_000);
  const { value, diagnostics } = parse(createSourceFile('bench.gg', text));
  const pipelines = value.statements.flatMap((part) => (part.kind === 'Pipeline' ? [part] : []));
  const hops = pipelines.flatMap((pipeline) => pipeline.hops);
  const share = (part: readonly unknown[], whole: readonly unknown[]) => part.length / whole.length;

  test('parse without a finding, with exactly the requested edges', () => {
    expect(diagnostics).toEqual([]);
    expect(hops).toHaveLength(1_000);
  });

  test('have labels, strings and numbers as often as public files have', () => {
    const labelled = hops.filter(({ target }) => target.nodes.some(({ labels }) => labels.length > 0));
    expect(share(labelled, hops)).toBeGreaterThan(0.25);
    expect(share(labelled, hops)).toBeLessThan(0.45);
    const strings = text.match(/'[^'\n]*'|"[^"\n]*"/g) ?? [];
    const numbers = strings.filter((string) => /^.\d+.$/.test(string));
    expect(share(strings, hops)).toBeGreaterThan(3);
    expect(share(strings, hops)).toBeLessThan(6);
    expect(share(numbers, strings)).toBeGreaterThan(0.3);
    expect(share(numbers, strings)).toBeLessThan(0.45);
    for (const mark of ['// ', ' | ', ')', 'node//', "='", '-[:PROCESS', '-[:MEASURE']) expect(text).toContain(mark);
    expect(pipelines.some((pipeline) => pipeline.hops.length > 2)).toBe(true);
  });

  test('depend on the seed only', () => {
    expect(generatePublicTopology(50, 7)).toBe(generatePublicTopology(50, 7));
    expect(generatePublicTopology(50, 7)).not.toBe(generatePublicTopology(50, 8));
  });
});

describe('the baselines', () => {
  test.each(sizes)('find the same as the parser in a topology of %i edges', (edges) => {
    const source = createSourceFile('bench.gg', generateTopology({ edges }));
    const { value, diagnostics } = parse(source);
    expect(diagnostics).toEqual([]);
    checkBaseline(source.text, value);
  });

  test('report a baseline that disagrees with the parser', () => {
    const source = createSourceFile('bench.gg', generateTopology({ edges: 10 }));
    const other = parse(createSourceFile('bench.gg', generateTopology({ edges: 11 }))).value;
    expect(() => checkBaseline(source.text, other)).toThrow();
  });

  test('include a TypeSpec text with every operation and every model', () => {
    const { schema } = compile(generateTopology({ edges: 20, restOnly: true }));
    const text = schemaToTypeSpec(schema);
    for (const { name } of [...schema.queries, ...schema.mutations]) expect(text).toContain(` op ${name}(`);
    for (const { name } of [...schema.objects, ...schema.inputs]) expect(text).toContain(`model ${name} {`);
  });
});

describe('the report', () => {
  const root = join(import.meta.dirname, '..');

  test('covers every row with its target and a verdict', () => {
    const lines = readFileSync(join(root, 'test/bench/REPORT.md'), 'utf8').split('\n');
    rows.forEach((row, index) => {
      const first = lines.findIndex((line) => line.startsWith(`| ${index + 1} | ${row.title} |`));
      expect(first, `the row ${row.id}`).not.toBe(-1);
      expect(lines[first]).toContain(`| ${row.baseline} |`);
      expect(lines[first]).toContain(`| ${row.target} |`);
      const next = lines.findIndex((line, at) => at > first && !line.startsWith('|  |'));
      const verdicts = lines.slice(first, next).filter((line) => / (?:met|\*\*not met\*\*) \|$/.test(line));
      expect(verdicts.length, `verdicts of ${row.id}`).toBeGreaterThan(0);
    });
  });

  test('reports a target as met only if the median meets it', () => {
    const measurement = {
      row: 'check',
      size: 'x',
      unit: 'ms',
      judged: true,
      ours: 3e6,
      baseline: 1e6,
    } as const;
    const conditions = {
      nodeVersion: '20.20.2',
      processors: 2,
      isPinned: true,
      peers: { TypeSpec: '1.0.0' },
    };
    const reportFor = (median: number) =>
      writeReport([{ ...measurement, ratio: { median, min: 1, max: 9 } }], conditions);
    expect(reportFor(2.2)).toContain('2.20 (1.00–9.00) | ≤ 2.2× | met |');
    expect(reportFor(2.21)).toContain('2.21 (1.00–9.00) | ≤ 2.2× | **not met** |');
    expect(reportFor(2.2)).toContain('Node 20.20.2, 2 processors, everything on one of them; against TypeSpec 1.0.0.');
    expect(reportFor(2.2)).toContain(`1 of ${rows.length} targets met`);
  });

  test('is void if the compiler differs from itself', () => {
    const reportFor = (median: number) =>
      writeReport(
        [
          {
            ...{ row: 'same', size: '1k edges', unit: 'ms', judged: true, ours: 1, baseline: 1 },
            ratio: { median, min: 0.9, max: 1.1 },
          },
        ],
        { nodeVersion: '22.15.0', processors: 2, isPinned: true, peers: {} },
      );
    for (const median of [0.96, 1.04]) expect(reportFor(median)).toContain('**This run is void.**');
    expect(reportFor(1.03)).toContain('against itself: 1.03 (0.900–1.10); 0.97–1.03 is expected.');
    expect(reportFor(1.03)).not.toContain('void');
  });
});
