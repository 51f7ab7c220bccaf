import type { Position } from 'vscode-languageserver';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { mentionAt, Names, type PlacedMention, type Target } from './names.js';

/** What stands at a place, and everything that has to be looked at to find all that speaks of it. */
export interface Scope {
  readonly mention: PlacedMention;
  /** Undefined when the place speaks of nothing that has a name of its own. */
  readonly target: Target | undefined;
  readonly names: Names;
  readonly files: readonly TopologyFile[];
  /** Every place that speaks of the target. */
  readonly places: readonly PlacedMention[];
}

/**
 * Looks at a position of a file. A file that several topologies share ties them together: where it speaks of
 * the target, the other topologies are looked through as well.
 */
export function scopeAt(workspace: Workspace, uri: string, position: Position): Scope | undefined {
  const file = workspace.fileAt(uri);
  const mention = file && mentionAt(file, position);
  if (mention === undefined) return undefined;
  const files = new Set(workspace.filesAround(mention.file));
  for (;;) {
    const names = new Names([...files]);
    const target = names.targetOf(mention, mention.file);
    const places = target === undefined ? [] : names.placesOf(target);
    const size = files.size;
    for (const place of new Set(places.map((one) => one.file))) {
      for (const one of workspace.filesAround(place)) files.add(one);
    }
    if (files.size === size) return { mention, target, names, files: [...files], places };
  }
}
