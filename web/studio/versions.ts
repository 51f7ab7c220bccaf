import { computed, effect, signal } from '@preact/signals';
import {
  type ReplayedCall,
  studioPaths,
  type Version,
  type VersionList,
  type VersionSummary,
} from '../../src/tools/studio/protocol.js';
import type { ChangeMark } from '../graph/change-mark.js';
import { ask } from './panels/post.js';
import { state } from './store.js';

/** The versions of the topology; undefined until they are asked for. */
export const versions = signal<VersionList | undefined>(undefined);

/** The id of the version that was chosen; undefined for that of now. */
export const chosen = signal<string | undefined>(undefined);

/** The version that the graph shows; undefined for that of now. */
export const shownVersion = signal<Version | undefined>(undefined);

/** Why the chosen version cannot be shown. */
export const versionProblem = signal<string | undefined>(undefined);

/** The calls that were replayed against the shown version. */
export const replayed = signal<readonly ReplayedCall[] | undefined>(undefined);

/** Follows the choice, and the saves, which change what is compared. */
export function followVersions(): void {
  let latest = 0;
  const revision = computed(() => state.value?.revision);
  effect(() => {
    const id = chosen.value;
    const isServed = revision.value !== undefined;
    const request = ++latest;
    replayed.value = undefined;
    versionProblem.value = undefined;
    if (id === undefined || !isServed) {
      shownVersion.value = undefined;
      return;
    }
    // The slider passes versions that are not wanted.
    setTimeout(async () => {
      if (request !== latest) return;
      const { value, problem } = await ask<Version>(`${studioPaths.version}?${new URLSearchParams({ id })}`);
      if (request !== latest) return;
      versionProblem.value = problem;
      shownVersion.value = value;
    }, 100);
  });
}

/** Asks for the list of versions. */
export async function loadVersions(): Promise<void> {
  const { value } = await ask<VersionList>(studioPaths.versions);
  if (value !== undefined) versions.value = value;
}

/** The version that was chosen; that of now is the last one. */
export function chosenVersion(): VersionSummary | undefined {
  const all = versions.value?.versions;
  return all?.find(({ id }) => id === chosen.value) ?? all?.at(-1);
}

/** `now`, `save of 10:15:00`, `1a2b3c4 adds shelves, 29/11/2026`. */
export function versionText(version: VersionSummary): string {
  if (version === versions.value?.versions.at(-1)) return 'now';
  const at = new Date(version.at);
  if (version.kind === 'save') return `save of ${at.toLocaleTimeString()}`;
  return `${version.id.slice(0, 7)} ${version.title}, ${at.toLocaleDateString()}`;
}

/** The same in short: `1a2b3c4` for a commit. */
export function shortText(version: VersionSummary): string {
  return version.kind === 'save' ? versionText(version) : version.id.slice(0, 7);
}

/** Marks of changes, and of the operations whose replayed calls fail or differ. */
export function withReplays(changes: ReadonlyMap<string, ChangeMark>): ReadonlyMap<string, ChangeMark> {
  const marks = new Map(changes);
  for (const { coordinate, outcome } of replayed.value ?? []) {
    if (outcome === 'fails') marks.set(coordinate, { level: 'breaking', title: 'a replayed call fails' });
    else if (outcome === 'differs' && marks.get(coordinate)?.level !== 'breaking')
      marks.set(coordinate, { level: 'dangerous', title: 'a replayed call differs' });
  }
  return marks;
}
