import { describe, expect, test } from 'vitest';
import { checkAccessibility } from './browser.js';
import { startDev } from './dev-server.js';
import { cameraOf, inPage, openStudio, parcel, partOf, service } from './studio-page.js';

describe('the view', () => {
  test('moves by dragging, with the wheel and with the arrow keys', async () => {
    const { origin } = await startDev(service);
    const page = await openStudio(origin);
    const start = await cameraOf(page);
    await page.mouse.move(60, 120);
    await page.mouse.down();
    await page.mouse.move(100, 150, { steps: 3 });
    await page.mouse.up();
    const dragged = await cameraOf(page);
    expect([dragged.x - start.x, dragged.y - start.y]).toEqual([40, 30]);
    await page.mouse.wheel(0, 50);
    // The page may get the turn of the wheel later.
    await expect.poll(async () => (await cameraOf(page)).y - dragged.y).toBe(-50);
    const wheeled = await cameraOf(page);
    await page.locator('.graph > svg').focus();
    await page.keyboard.press('ArrowLeft');
    expect((await cameraOf(page)).x - wheeled.x).toBe(60);
    expect((await cameraOf(page)).scale).toBe(start.scale);
  });

  test('zooms with Ctrl and the wheel about the pointer, with keys and with buttons; 0 shows everything', async () => {
    const { origin } = await startDev(parcel);
    const page = await openStudio(origin);
    const start = await cameraOf(page);
    await page.mouse.move(300, 400);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -240);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await cameraOf(page)).scale).toBeGreaterThan(start.scale);
    const zoomed = await cameraOf(page);
    const header = await page.locator('.graph > svg').boundingBox();
    const at = { x: 300 - (header?.x ?? 0), y: 400 - (header?.y ?? 0) };
    expect((at.x - zoomed.x) / zoomed.scale).toBeCloseTo((at.x - start.x) / start.scale, 3);
    expect((at.y - zoomed.y) / zoomed.scale).toBeCloseTo((at.y - start.y) / start.scale, 3);
    await page.locator('.graph > svg').focus();
    await page.keyboard.press('0');
    expect(await cameraOf(page)).toEqual(start);
    await page.keyboard.press('+');
    expect((await cameraOf(page)).scale).toBeCloseTo(start.scale * 1.25);
    await page.keyboard.press('-');
    expect((await cameraOf(page)).scale).toBeCloseTo(start.scale);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect((await cameraOf(page)).scale).toBeCloseTo(start.scale * 1.25);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    expect(await cameraOf(page)).toEqual(start);
  });

  test('hides texts that are too small to read, and shows them again', async () => {
    const { origin } = await startDev(parcel);
    const page = await openStudio(origin);
    const text = partOf(page, 'Query.listClaims').locator('text').first();
    expect(await text.isVisible()).toBe(true);
    await page.locator('.graph > svg').focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('-');
    await text.waitFor({ state: 'hidden' });
    for (let step = 0; step < 4; step++) await page.keyboard.press('+');
    await text.waitFor({ state: 'visible' });
  });
});

describe('the selection', () => {
  test('is in the fragment of the address, so that links and the back button restore it', async () => {
    const { origin } = await startDev(service);
    const page = await openStudio(origin, { fragment: '#Query.scanResult' });
    const pressed = () => page.locator('[data-part][aria-pressed=true]').getAttribute('data-part');
    expect(await pressed()).toBe('Query.scanResult');
    await partOf(page, '(read_user)').click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#(read_user)');
    await partOf(page, 'Mutation.saveUser').locator('.hit').click({ force: true });
    expect(await pressed()).toBe('Mutation.saveUser');
    await page.goBack();
    await expect.poll(pressed).toBe('(read_user)');
    await page.goBack();
    await expect.poll(pressed).toBe('Query.scanResult');
  });

  test.each(['#%', '#(gone)', '#Query.gone', '#<script>', '#()'])('survives the fragment %s', async (fragment) => {
    const { origin } = await startDev(service);
    const page = await openStudio(origin, { fragment });
    expect(await page.locator('[data-part][aria-pressed=true]').count()).toBe(0);
    await partOf(page, '(read_user)').click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#(read_user)');
  });
});

describe('the keyboard', () => {
  test('enters the graph at one part, moves along the edges, selects, and goes back', async () => {
    const { origin } = await startDev(service);
    const page = await openStudio(origin);
    expect(await page.locator('.graph svg [tabindex="0"]').count()).toBe(1);
    await partOf(page, '(input_user)').focus();
    const focused = () => page.evaluate('document.activeElement.dataset.part');
    const path = ['Mutation.saveUser', '(save_user)', 'Subscription.userSaved', '(user_saved)'];
    for (const next of path) {
      await page.keyboard.press('ArrowRight');
      expect(await focused()).toBe(next);
    }
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#Subscription.userSaved');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    expect(await page.evaluate('document.activeElement.localName')).toBe('svg');
  });
});

describe('the parts', () => {
  test('far from the selection are dimmed with F, and only those', async () => {
    const { origin } = await startDev(parcel);
    const page = await openStudio(origin, { fragment: '#Query.claim' });
    await page.keyboard.press('f');
    const dimmed = (name: string) => partOf(page, name).evaluate(inPage('(part) => part.classList.contains("dimmed")'));
    expect(await Promise.all(['(claim)', '(support)', 'Mutation.fileClaim'].map(dimmed))).toEqual([
      false,
      false,
      false,
    ]);
    expect(await Promise.all(['(invoice)', 'Query.price'].map(dimmed))).toEqual([true, true]);
    await page.keyboard.press('f');
    expect(await page.locator('.dimmed').count()).toBe(0);
  });

  test('around the selected operation are drawn alone with A; pressing A again draws the whole graph', async () => {
    const { origin } = await startDev(parcel);
    const page = await openStudio(origin, { fragment: '#Query.claim' });
    const whole = await page.locator('[data-part]').count();
    await page.keyboard.press('a');
    await partOf(page, '(invoice)').waitFor({ state: 'detached' });
    expect(await partOf(page, 'Query.claim').getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('[data-part]').count()).toBeLessThan(whole);
    await page.keyboard.press('a');
    await partOf(page, '(invoice)').waitFor();
    expect(await page.locator('[data-part]').count()).toBe(whole);
  });

  test('are the same in the list', async () => {
    const { origin } = await startDev(parcel);
    const page = await openStudio(origin);
    const names = await page
      .locator('[data-part]')
      .evaluateAll(inPage('(parts) => parts.map((part) => part.dataset.part)'));
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const list = page.locator('.graph-list');
    const nodes = (names as string[]).filter((name) => name.startsWith('('));
    expect(await list.locator(':scope > li').count()).toBe(nodes.length);
    for (const edge of (names as string[]).filter((name) => !name.startsWith('('))) {
      const name = edge.split('.').at(-1) as string;
      expect(await list.getByRole('button', { name: new RegExp(`^[A-Z]+ ${name}$`) }).count()).toBeGreaterThan(0);
    }
    await list.getByRole('button', { name: 'PROCESS listClaims' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#Query.listClaims');
  });

  test('differ in shape by kind of node, and in more than colour by kind of edge', async () => {
    const topology = `(size: Enum { values: [S, L] })-[:MEASURE]->(when: Scalar)
(named: Interface { id: ID! })-[:PROCESS]->(user: Record { id: ID! })
(draft: Input { id: ID! })-[:FOLD]->(saved { id: ID! })
(saved)-[:FORK]->(news { id: ID! })
(cached { a: Int } | fresh { b: Int })-[:RACE]->(verdict)
`;
    const { origin } = await startDev({ 'shapes.gg': topology });
    const page = await openStudio(origin);
    const outlines = await page.locator('.graph > svg .box').evaluateAll(
      inPage(`(boxes) => boxes.map((box) => [
      box.classList[1],
      box.querySelector('.shape').getAttribute('d').replace(/[-\\d.,]+/g, ''),
      /A[\\d.]+/.exec(box.querySelector('.shape').getAttribute('d'))?.[0],
      box.querySelectorAll('path').length,
      getComputedStyle(box.querySelector('.shape')).strokeDasharray,
    ].join(' '))`),
    );
    const kinds = new Map((outlines as string[]).map((text) => [text.split(' ')[0], text.slice(text.indexOf(' '))]));
    expect(kinds.size).toBe(5);
    expect(new Set(kinds.values()).size).toBe(kinds.size);
    const strokes = await page.locator('.graph > svg .line:has(.head)').evaluateAll(
      inPage(`(lines) => lines.map((line) => {
      const { strokeDasharray, strokeWidth } = getComputedStyle(line.querySelector('.stroke'));
      const head = line.querySelector('.head').getAttribute('d').replace(/[-\\d.,]+/g, '');
      return [head, strokeDasharray, strokeWidth].join(' ');
    })`),
    );
    expect(new Set(strokes as string[]).size).toBe(5);
  });
});

test.each(['light', 'dark'] as const)('passes axe for the graph and the list in %s', async (colorScheme) => {
  const { origin } = await startDev(parcel);
  const page = await openStudio(origin, { colorScheme, fragment: '#Query.claim' });
  await page.getByText('Legend').click();
  await page.keyboard.press('f');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await checkAccessibility(page);
});
