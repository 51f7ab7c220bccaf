import type { Analysis } from '../analyze.js';
import { createDiagram } from '../diagram/diagram.js';
import { type Drawing, layoutOf, placeDiagram } from '../diagram/drawing.js';
import { lowerGraph } from '../graph/lower/lower.js';
import type { LayoutThread } from './layout-thread.js';

/** The drawings of topologies without errors. */
export interface Drawings {
  /**
   * Draws a topology, or the neighbourhood of one operation or union.
   *
   * @returns Undefined if nothing has the name of the operation.
   * @throws {RangeError} If there is too much to draw.
   */
  draw(topology: Analysis, operation?: string): Promise<Drawing | undefined>;
  /** Ends the drawings in progress: they reject. */
  cancel(): void;
}

/** The number of layouts that are kept. */
const maxKept = 50;

/** Creates the drawings of a studio. A layout that was computed before is used again. */
export function createDrawings(thread: LayoutThread): Drawings {
  const layouts = new Map<string, Promise<object>>();
  const pending = new Set<string>();

  const compute = (dot: string, effort: ReturnType<typeof layoutOf>['effort']): Promise<object> => {
    pending.add(dot);
    const layout = thread.layout(dot, effort).finally(() => pending.delete(dot));
    layout.catch(() => layouts.delete(dot));
    return layout;
  };

  return {
    async draw({ ast, schema }, operation) {
      const options = operation === undefined ? {} : { operation };
      const diagram = createDiagram(lowerGraph(ast).value, schema, options);
      if (diagram === undefined) return undefined;
      const { dot, effort } = layoutOf(diagram);
      const layout = layouts.get(dot) ?? compute(dot, effort);
      // The first key of the map is the layout that was not used for the longest time.
      layouts.delete(dot);
      layouts.set(dot, layout);
      const [oldest] = layouts.keys();
      if (layouts.size > maxKept && oldest !== undefined) layouts.delete(oldest);
      return placeDiagram(diagram, await layout);
    },
    cancel() {
      if (pending.size > 0) thread.end();
    },
  };
}
