import { generateTopology } from '../generate.js';
import { compareSamples, freshText } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';
import { runForOutput } from '../processes.js';
import { project } from './growth.js';

/** How the memory of an edge grows with the number of edges around it; a new process for each figure. */
export function measureMemory({ isQuick, report }: BenchContext): void {
  const bytesPerEdge = (edges: number) =>
    Number(runForOutput(['--expose-gc', process.argv[1] as string, `--heap=${edges}`]));
  for (const edges of [10_000, 100_000]) {
    report({
      row: 'growth-memory',
      size: `${sizeLabel(edges)} edges`,
      unit: 'B/edge',
      judged: edges === 100_000,
      ...compareSamples(
        () => bytesPerEdge(edges),
        () => bytesPerEdge(1_000),
        isQuick ? 1 : 3,
      ),
    });
  }
}

/**
 * What the tree, the graph and the schema of a topology hold of the heap, in bytes an edge. The text
 * is not counted, nor is what the compiler keeps for itself: both are there before the first look.
 */
export function measureHeap(edges: number): number {
  const small = generateTopology({ edges: 500, seed: 2 });
  for (let run = 0; run < 40; run++) project(freshText(small));
  const text = freshText(generateTopology({ edges }));
  const before = settledHeap();
  const held = project(text);
  const after = settledHeap();
  // The comparison keeps both alive until the second look is over.
  if (held.ast.documents[0]?.file.text !== text) throw new Error('invariant: the tree lost its text');
  return (after - before) / edges;
}

function settledHeap(): number {
  if (globalThis.gc === undefined) throw new Error('invariant: run with --expose-gc');
  for (let run = 0; run < 4; run++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
