import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import { operationCoordinate } from '../../src/compiler/api/operation-coordinate.js';
import { isOfFederation } from '../../src/compiler/api/own-operations.js';
import { operationSignature } from '../../src/compiler/api/signature.js';
import { allOperations, type GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { nameOfPart } from '../graph/structure.js';

/** Something that the search finds. */
export interface SearchEntry {
  /** The name of the part that it selects. */
  readonly part: string;
  readonly title: string;
  /** `query`, `enum`, `node` … */
  readonly kind: string;
  /** The signature of an operation, the type of a node. */
  readonly detail: string;
}

/** Lists the operations, unions and types of an API and the nodes of its topology, each once, without the federation layer. */
export function searchEntries(schema: GqlSchema, drawing: Drawing | undefined): readonly SearchEntry[] {
  const own = allOperations(schema).filter((operation) => !isOfFederation(operation));
  const operations = own.map((operation) => ({
    part: operationCoordinate(operation),
    title: operation.name,
    kind: operation.kind,
    detail: operationSignature(schema, operation),
  }));
  const unions = schema.unions.map(({ name, members }) => ({
    part: name,
    title: name,
    kind: 'union',
    detail: members.join(' | '),
  }));
  const groups = {
    object: schema.objects,
    interface: schema.interfaces ?? [],
    problem: schema.problems ?? [],
    input: schema.inputs,
    enum: schema.enums,
    scalar: schema.scalars,
  };
  const types = Object.entries(groups).flatMap(([kind, group]) =>
    group.flatMap(({ name, node }) =>
      node === undefined
        ? []
        : [{ part: nameOfPart({ kind: 'node', id: node.id }), title: node.id, kind, detail: name }],
    ),
  );
  const known = new Set(types.map(({ part }) => part));
  const nodes = (drawing?.boxes ?? []).flatMap(({ node, members = [], text }) =>
    [...members, ...(node === undefined ? [] : [node])].flatMap((id) => {
      const part = nameOfPart({ kind: 'node', id });
      return known.has(part) ? [] : [{ part, title: id, kind: 'node', detail: text[1] ?? '' }];
    }),
  );
  return [...operations, ...unions, ...types, ...nodes];
}

/** The entries that a text finds, the best first, at most 50: all of its words occur, or its letters in order. */
export function search(entries: readonly SearchEntry[], text: string): readonly SearchEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const most = 50;
  return entries
    .map((entry) => ({ entry, score: words.reduce((sum, word) => sum + scoreOf(entry, word), 0) }))
    .filter(({ score }) => Number.isFinite(score))
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** How well a word fits, 0 the best; infinite if it does not. */
function scoreOf({ title, detail, kind }: SearchEntry, word: string): number {
  const name = title.toLowerCase();
  if (name === word) return 0;
  const at = name.indexOf(word);
  if (at === 0) return 1;
  if (at > 0) return 2;
  if (kind.startsWith(word)) return 3;
  if (detail.toLowerCase().includes(word)) return 4;
  let from = 0;
  for (const letter of word) {
    const next = name.indexOf(letter, from);
    if (next < 0) return Number.POSITIVE_INFINITY;
    from = next + 1;
  }
  return 5 + name.length / 1000;
}
