import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';

const pages = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')];

/** The relative links of a page; code is not text. */
function linksOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that a renderer makes out of the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    (title ?? '')
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );
}

describe('the links between the pages', () => {
  it.each(pages)('the links of %s lead to files', (page) => {
    for (const link of linksOf(page)) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      expect(existsSync(target), `${link} in ${page}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(target), `${link} in ${page}`).toContain(anchor);
    }
  });

  it('the pages have links', () => {
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(100);
  });
});
