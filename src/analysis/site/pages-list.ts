import type { Area } from './index-pages.js';
import { type Block, type Inlines, type Page, plainText } from './page.js';
import type { Site } from './site.js';

/**
 * The pages with their members, in the form of `pages.js`: one file that the navigation, the search and the expanded types
 * of all pages share. Short names, since a browser reads it for every page.
 */
export type ListedArea = readonly [title: string, path: string, pages?: readonly ListedPage[]];

export type ListedPage = readonly [
  title: string,
  path: string,
  kind: string,
  summary: string,
  members: readonly ListedMember[],
];

/**
 * A field, an argument or a value. `page` is the path of its type, empty for a built-in scalar. In a guide, a section with
 * its anchor.
 */
export type ListedMember = readonly [name: string, type: string, page: string, said: string, id?: string];

/** The script of the list: it calls the function of the site's script, for browsers read no JSON from the disk. */
export function printPagesList({ areas, further }: Pick<Site, 'areas' | 'further'>): string {
  const listed: readonly ListedArea[] = [
    ...further.map(({ title, path }): ListedArea => [title, path]),
    ...areas.map(({ title, path, pages }: Area): ListedArea => [title, path, pages.map(listPage)]),
  ];
  return `ggPages(${JSON.stringify(listed)});\n`;
}

function listPage({ title, path, kind = '', summary, blocks }: Page): ListedPage {
  return [title, path, kind, summary, blocks.flatMap(membersOf)];
}

/** The rows of a table that have an id, which is `member-` and the name of the member. */
function membersOf(block: Block): readonly ListedMember[] {
  if (block.kind !== 'table') return [];
  const isTyped = block.head[1] === 'Type';
  return block.rows.flatMap(({ id, cells }): readonly ListedMember[] => {
    if (id === undefined) return [];
    const type = isTyped ? (cells[1] ?? []) : [];
    return [[plainText(cells[0] ?? []), plainText(type), pageOf(type), plainText(cells.at(-1) ?? [])]];
  });
}

function pageOf([first]: Inlines): string {
  return typeof first === 'object' && first.kind === 'link' && 'page' in first.to ? first.to.page : '';
}
