import { capitalized } from '../../compiler/graph/names.js';
import type { SchemaChange } from '../diff/model/change.js';
import { changeLevels } from '../diff/model/change-level.js';
import { type Block, code, list, type Page, paragraph, section } from './page.js';

/** One release of an API, with the changes since the previous one. */
export interface Release {
  /** A git tag, or words for the state of the site itself. */
  readonly name: string;
  /** `2026-01-31`; absent for the state of the site itself. */
  readonly date?: string;
  /** The changes since the previous release; absent for the first one. */
  readonly changes?: readonly Pick<SchemaChange, 'level' | 'kind' | 'message'>[];
  /** Why the topology of this release cannot be compared; absent if it can. */
  readonly problem?: string;
}

/** The page of the releases, the newest first. */
export function changelogPage(releases: readonly Release[]): Page {
  return {
    path: 'changelog',
    title: 'Changelog',
    summary: 'API changes by release',
    blocks: releases.flatMap((release) => {
      const { name, date } = release;
      return section(date === undefined ? name : `${name}, ${date}`, releaseBlocks(release));
    }),
  };
}

function releaseBlocks({ changes, problem }: Release): readonly Block[] {
  if (problem !== undefined) return [paragraph(problem)];
  if (changes === undefined) return [paragraph('The first release.')];
  if (changes.length === 0) return [paragraph('The API did not change.')];
  return changeLevels.flatMap((level): readonly Block[] => {
    const found = changes.filter((change) => change.level === level);
    if (found.length === 0) return [];
    return [
      paragraph({ kind: 'strong', text: capitalized(level) }, ` (${found.length})`),
      ...list(found.map(({ kind, message }) => [code(kind), ` ${message}`])),
    ];
  });
}
