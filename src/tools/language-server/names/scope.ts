import type { Position } from 'vscode-languageserver';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { mentionAt, Names, type PlacedMention, type Target } from './names.js';

/** The symbol at an offset, and all references to it. */
export interface Scope {
  readonly mention: PlacedMention;
  /** Undefined if the mention does not refer to a named symbol. */
  readonly target: Target | undefined;
  readonly names: Names;
  readonly files: readonly TopologyFile[];
  readonly places: readonly PlacedMention[];
}

/**
 * The symbol at a position. When a file that several topologies share refers to the target, the other topologies are
 * searched as well.
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
