import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pages, proofs, shop } from '../analysis/diagram/large-topologies.js';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { cameraOf, inPage, openStudio, partOf } from './studio-page.js';

/** The labels that are seen whole, at least 8 px high, and the pairs of them that overlap. */
async function labelsOf(page: Page): Promise<{ readonly legible: number; readonly overlaps: readonly string[] }> {
  const view = await page.locator('.graph > svg').boundingBox();
  const found = await page.locator('.graph > svg text').evaluateAll(
    inPage(`(texts) => texts.map((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
      return { text: text.textContent, left, right, top, bottom, size };
    })`),
  );
  type Label = Record<'left' | 'right' | 'top' | 'bottom' | 'size', number> & { readonly text: string };
  const { x = 0, y = 0, width = 0, height = 0 } = view ?? {};
  const seen = (found as Label[]).filter(
    ({ left, right, top, bottom }) =>
      right > left && left >= x && right <= x + width && top >= y && bottom <= y + height,
  );
  // The boxes of texts include the space above and below the letters: lines of one label touch there.
  const overlap = (a: Label, b: Label) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.4 * Math.min(a.size, b.size);
  return {
    legible: seen.filter(({ size }) => size >= 8).length,
    overlaps: seen.flatMap((a, index) =>
      seen.slice(index + 1).flatMap((b) => (overlap(a, b) ? `${a.text} / ${b.text}` : [])),
    ),
  };
}

describe('a large topology', () => {
  test.each([
    ['100 nodes of one theorem', proofs],
    ['217 nodes with hubs in four files', shop],
    ['517 nodes of seven pages', pages],
  ])('of %s shows at least 30 legible labels first, and none overlap', async (_, files) => {
    const { origin } = await startDev(files);
    const { legible, overlaps } = await labelsOf(await openStudio(origin));
    expect(overlaps).toEqual([]);
    expect(legible).toBeGreaterThanOrEqual(30);
  });

  test('opens a group by a click and by the keyboard, and closes it again', async () => {
    const { origin } = await startDev(pages);
    const page = await openStudio(origin);
    const groups = page.locator('.graph .box.group');
    const before = await groups.count();
    await page.getByRole('button', { name: '36 checks around page_0' }).click();
    const range = page.getByRole('button', { name: '18 checks check_0 – check_17' });
    await range.focus();
    await page.keyboard.press('Enter');
    await partOf(page, '(check_17)').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.dataset.part')).toBe('(check_0)');
    await page.getByRole('button', { name: 'Close groups' }).click();
    await partOf(page, '(check_17)').waitFor({ state: 'detached' });
    expect(await groups.count()).toBe(before);
    await page.keyboard.press('l');
    await page.getByRole('button', { name: '36 checks around page_0' }).first().click();
    await page.getByRole('button', { name: '18 checks check_0 – check_17' }).first().waitFor();
  });

  test('takes a part that the address or the search selects out of its group', async () => {
    const { origin } = await startDev(shop);
    const page = await openStudio(origin, { fragment: '#(event_50)' });
    await partOf(page, '(event_50)').waitFor();
    expect(await partOf(page, '(event_50)').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('/');
    await page.keyboard.type('step_30');
    await page.keyboard.press('Enter');
    await partOf(page, '(step_30)').waitFor();
    expect(await partOf(page, '(event_51)').count()).toBe(0);
  });

  test('has a map of the whole picture, which moves the view', async () => {
    const { origin } = await startDev(proofs);
    const page = await openStudio(origin);
    const map = page.locator('.minimap');
    for (let step = 0; step < 5; step++) await page.getByRole('button', { name: 'Zoom in' }).click();
    const before = await cameraOf(page);
    await map.click({ position: { x: 2, y: 2 } });
    const after = await cameraOf(page);
    expect(after.scale).toBe(before.scale);
    expect([after.x > 0, after.y > 0]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await map.waitFor({ state: 'hidden' });
  });

  test.each(['light', 'dark'] as const)('passes axe in %s', async (colorScheme) => {
    const { origin } = await startDev(shop);
    await checkAccessibility(await openStudio(origin, { colorScheme, fragment: '#(event_50)' }));
  });
});
