import { expect, test } from 'vitest';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { cameraOf, openStudio, parcel, partOf } from './studio-page.js';

test.each(['/', 'Control+k'])('opens the search with %s, and jumps to a result', async (shortcut) => {
  const { origin } = await startDev(parcel);
  const page = await openStudio(origin);
  await page.keyboard.press(shortcut);
  await page.keyboard.type('list ship');
  expect(await page.getByRole('option').first().textContent()).toMatch(/^querylistShipments/);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#Query.listShipments');
  await cameraOf(page);
  const view = await page.locator('.graph > svg').boundingBox();
  const part = await partOf(page, 'Query.listShipments').locator('text').last().boundingBox();
  expect(part?.x).toBeGreaterThan(view?.x ?? Number.NaN);
  expect((part?.x ?? Number.NaN) + (part?.width ?? 0)).toBeLessThan((view?.x ?? 0) + (view?.width ?? 0));
  expect(part?.height).toBeGreaterThan(6);
});

test('supports the arrow keys and the pointer in the search, and reports an empty result', async () => {
  const { origin } = await startDev(parcel);
  const page = await openStudio(origin);
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('claim');
  await page.keyboard.press('ArrowDown');
  const second = page.getByRole('option').nth(1);
  expect(await second.getAttribute('aria-selected')).toBe('true');
  expect(await box.getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'));
  await checkAccessibility(page);
  await page.getByRole('option').filter({ hasText: 'claim_form' }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#(claim_form)');
  await box.fill('nothing like it');
  expect(await page.locator('.search [role=status]').textContent()).toContain('nothing like it');
  await page.keyboard.press('Escape');
  expect(await page.locator('#found').getByRole('option').count()).toBe(0);
});

test('does not open the search for a slash that is typed into a field', async () => {
  const { origin } = await startDev(parcel);
  const page = await openStudio(origin);
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('a');
  await page.keyboard.press('/');
  expect(await box.inputValue()).toBe('a/');
});
