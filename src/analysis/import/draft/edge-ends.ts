import { type Draft, nodeIdOf } from './draft.js';

/** The nodes that edges need, and that the description does not have. */
export class EdgeEnds {
  readonly #draft: Draft;
  #source: string | undefined;
  #target: string | undefined;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** The node where operations begin: internal, so that the API does not get a type for it. */
  source(place: string): string {
    if (this.#source === undefined) {
      const typeName = this.#draft.takeTypeName('Root', place, true, false);
      this.#source = nodeIdOf(typeName);
      this.#addInternal(this.#source, typeName, place);
    }
    return this.#source;
  }

  /** The node where operations end whose results are scalars. */
  scalarTarget(place: string): string {
    if (this.#target === undefined) {
      const typeName = this.#draft.takeTypeName('ScalarResult', place, true, false);
      this.#target = nodeIdOf(typeName);
      const description = 'The target of edges whose results are scalars.';
      this.#draft.addNode({ typeName, place, description });
      const reason =
        'It is added, because an edge must lead to a node, and operations with a scalar result have none.';
      this.#draft.lose(place, `type ${typeName}`, reason);
    }
    return this.#target;
  }

  /** Completes a topology whose edges are known: adds internal nodes, and removes ids that the compiler derives. */
  completeOwn(): void {
    const { nodes, edges } = this.#draft;
    const declared = new Set(nodes.map(({ id }) => id));
    const sources = new Set<string>();
    for (const { from, arguments: args, type } of edges) {
      for (const id of from) {
        if (!declared.has(id)) this.#addInternal(id);
        declared.add(id);
        if (type === 'PROCESS' && args.length === 0) sources.add(id);
      }
    }
    // The derived id of a node without fields is not an argument of the edges that begin at the node.
    for (const [at, node] of nodes.entries()) {
      const [first, ...others] = node.fields;
      const isBare = first?.name === 'id' && first.type === 'ID!' && others.length === 0;
      if (isBare && sources.has(node.id) && node.settings.length === 0) nodes[at] = { ...node, fields: [] };
    }
  }

  #addInternal(id: string, typeName = '', place = '1:1'): void {
    this.#draft.addNode({ id, typeName, place, settings: [{ key: 'internal', text: 'true', place }] });
  }
}
