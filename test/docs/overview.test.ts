import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';

const overview = readFileSync('docs/README.md', 'utf8');
const listed = [...overview.matchAll(/^- \[[^\]]+\]\(([\w/-]+\.md)\)/gm)].map(([, page]) => `docs/${page}`);
const guides = globSync('docs/*.md').filter((page) => page !== 'docs/README.md');

describe('the overview of the documentation', () => {
  test('lists every page once', () => {
    expect(listed.toSorted()).toEqual([...guides, 'docs/diagnostics/README.md'].toSorted());
  });

  test('groups the pages', () => {
    const headings = [...overview.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Start', 'Language', 'Run', 'Operate', 'Tools', 'Reference']);
  });
});
