import type { Page } from 'playwright-core';

/** Selects a part of the graph by its name in the address: `Query.readUser` or `(read_user)`. */
export async function select(page: Page, name: string): Promise<void> {
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, encodeURIComponent(name));
  await page.getByRole('tablist').waitFor();
}

/** Opens a tab of the panel. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
}

/** Saves pictures of the page, light and dark, in the folder that SHOTS names, to look at. */
export async function takeShots(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
