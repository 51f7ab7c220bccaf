import { readRenamed } from '../../../compiler/api/old-names.js';
import { appendTo, remember } from '../../../compiler/graph/maps.js';
import { camelCaseOf, typeNameOf } from '../../../compiler/graph/names.js';
import type { Draft, DraftEdge, DraftTag } from './draft.js';

interface Tagged {
  readonly tags?: readonly DraftTag[];
}

/** Turns the aliases of old names, as artifacts of gg-svc have them, back into tags of what they stand for. */
export function foldOldNames({ nodes, edges }: Draft): void {
  edges.splice(0, edges.length, ...folded(edges, (edge) => `${edge.type} ${nameOf(edge)}`, nameOf));
  const dropped = new Map<string, Set<string>>();
  for (const [at, node] of nodes.entries()) {
    const fields = folded(node.fields, ({ name }) => name);
    if (fields === node.fields) continue;
    nodes[at] = { ...node, fields };
    const gone = node.fields.filter(({ name }) => !fields.some((field) => field.name === name));
    const interfaces = node.settings.find(({ key }) => key === 'implements')?.text.match(/\w+/g) ?? [];
    for (const one of interfaces) {
      const names = remember(dropped, one, () => new Set());
      for (const { name } of gone) names.add(name);
    }
  }
  // A document without the fields of interfaces shows what their types share, aliases included.
  for (const [at, node] of nodes.entries()) {
    const names = dropped.get(node.typeName);
    if (names !== undefined) nodes[at] = { ...node, fields: node.fields.filter(({ name }) => !names.has(name)) };
  }
}

function nameOf({ settings, to }: DraftEdge): string {
  const given = settings.find(({ key }) => key === 'operation')?.text;
  return given?.slice(1, -1) ?? camelCaseOf(typeNameOf(to));
}

function folded<Item extends Tagged>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  shownName: (item: Item) => string = keyOf,
): readonly Item[] {
  const keys = new Set(items.map(keyOf));
  const tags = new Map<string, DraftTag[]>();
  const aliases = new Set<string>();
  for (const item of items) {
    const reason = item.tags?.find(({ name }) => name === 'deprecated')?.text ?? '';
    const renamed = readRenamed(reason);
    if (renamed === undefined) continue;
    const target = keyOf(item).replace(/\w+$/, renamed.to);
    if (!keys.has(target) || aliases.has(keyOf(item))) continue;
    aliases.add(keyOf(item));
    appendTo(tags, target, { name: 'renamedFrom', text: `${shownName(item)} until ${renamed.until}` });
  }
  if (aliases.size === 0) return items;
  return items.flatMap((item) => {
    const key = keyOf(item);
    const added = tags.get(key) ?? [];
    tags.delete(key);
    if (aliases.has(key)) return [];
    return added.length === 0 ? [item] : [{ ...item, tags: [...(item.tags ?? []), ...added] }];
  });
}
