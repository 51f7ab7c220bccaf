import { unionNameOf } from '../../../compiler/graph/names.js';
import { type Draft, nodeIdOf } from '../draft/draft.js';
import { raceEdge } from '../draft/operation-edge.js';

/** The unions of a collection of our own, and the nodes that their members race to. */
export class RaceTypes {
  /** By the names of the unions, which become the RACE edges from their members to a node. */
  readonly #races = new Map<string, { members: readonly string[]; target: string; place: string }>();
  /** The types of the targets, by the types that race. */
  readonly #targets = new Map<string, string>();

  add(union: string, members: readonly string[], place: string): void {
    const target = targetName.exec(union)?.[1] ?? `${union}Target`;
    this.#races.set(union, { members, target, place });
    for (const member of members) this.#targets.set(member, target);
  }

  /**
   * The type of the node that an operation leads to that returns a type. No mutation leads to a node that races (GG3011);
   * undefined if there is no other.
   */
  targetOf(type: string, isMutation: boolean): string | undefined {
    let target = this.#races.get(type)?.target ?? type;
    const passed = new Set<string>();
    for (let next = this.#targets.get(target); isMutation && next !== undefined; ) {
      if (passed.has(target)) return undefined;
      passed.add(target);
      target = next;
      next = this.#targets.get(target);
    }
    return target;
  }

  /** Adds the edges, and the targets that no response shows. */
  addEdges(draft: Draft, idOf: (type: string) => string | undefined): void {
    for (const [union, { members, target, place }] of this.#races) {
      if (idOf(target) === undefined) draft.addNode({ typeName: target, place });
      const from = members.map((member) => idOf(member) ?? member);
      draft.edges.push(raceEdge(union, { from, to: nodeIdOf(target), place }));
    }
  }
}

/** Whether a union has its default name, which is derived from the target of its race. */
export function hasTargetName(union: string): boolean {
  return targetName.test(union);
}

const targetName = new RegExp(`^(\\w+)${unionNameOf('')}$`);
