import { createDiagram } from '../../analysis/diagram/diagram.js';
import { type Drawing, layoutOf, placeDiagram } from '../../analysis/diagram/drawing.js';
import type { Analysis } from '../../compiler/analyze.js';
import type { LayoutThread } from './layout-thread.js';

/** The number of layouts that are kept. */
const maxKept = 50;

/** Draws topologies without errors. A layout that was computed before is used again. */
export class Drawings {
  readonly #layouts = new Map<string, Promise<object>>();
  readonly #pending = new Set<string>();

  constructor(private readonly thread: LayoutThread) {}

  /**
   * Draws a topology, or the neighbourhood of one operation or union.
   *
   * @returns Undefined if nothing has the name of the operation.
   * @throws {RangeError} If there is too much to draw.
   */
  async draw({ ir, schema }: Analysis, operation?: string): Promise<Drawing | undefined> {
    const diagram = createDiagram(ir, schema, operation === undefined ? {} : { operation });
    if (diagram === undefined) return undefined;
    const { dot, effort } = layoutOf(diagram);
    const layout = this.#layouts.get(dot) ?? this.#compute(dot, effort);
    // The first key of the map is the layout that was not used for the longest time.
    this.#layouts.delete(dot);
    this.#layouts.set(dot, layout);
    const [oldest] = this.#layouts.keys();
    if (this.#layouts.size > maxKept && oldest !== undefined) this.#layouts.delete(oldest);
    return placeDiagram(diagram, await layout);
  }

  /** Ends the drawings in progress: they reject. */
  cancel(): void {
    if (this.#pending.size > 0) this.thread.end();
  }

  #compute(dot: string, effort: ReturnType<typeof layoutOf>['effort']): Promise<object> {
    this.#pending.add(dot);
    const layout = this.thread.layout(dot, effort).finally(() => this.#pending.delete(dot));
    layout.catch(() => this.#layouts.delete(dot));
    return layout;
  }
}
