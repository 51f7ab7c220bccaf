import { createDiagram } from '../../analysis/diagram/diagram.js';
import { groupDiagram } from '../../analysis/diagram/group-diagram.js';
import { layoutOf, placeDiagram } from '../../analysis/diagram/layout.js';
import type { Analysis } from '../../compiler/analyze.js';
import { remember } from '../../compiler/graph/maps.js';
import { LruMap } from '../../runtime/limits/lru-map.js';
import type { LayoutThread } from './layout-thread.js';

/** The layouts of unconnected parts that are kept. */
const maxKept = 2000;

/** Draws topologies without errors. The layout of a part that was computed before is used again. */
export class Drawings {
  readonly #layouts = new LruMap<string, Promise<object>>(maxKept);

  constructor(private readonly thread: LayoutThread) {}

  /** Draws a topology with some groups opened, or what is around an operation or union; undefined without one. */
  async draw({ ir, schema }: Analysis, operation?: string, opened: readonly string[] = []) {
    const found = createDiagram(ir, schema, operation === undefined ? {} : { operation });
    if (found === undefined) return undefined;
    const diagram = groupDiagram(found, operation === undefined ? opened : [operation, ...opened]);
    const { dots, effort } = layoutOf(diagram);
    const layouts = dots.map((dot) => {
      const layout = remember(this.#layouts, dot, () => this.thread.layout(dot, effort));
      layout.catch(() => this.#layouts.delete(dot));
      return layout;
    });
    return placeDiagram(diagram, await Promise.all(layouts));
  }

  /** Ends the drawings in progress: they reject. */
  cancel(): void {
    if (this.thread.isBusy) this.thread.end();
  }
}
