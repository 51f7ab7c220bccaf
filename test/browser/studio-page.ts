import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { StudioMessage } from '../../src/tools/studio/protocol.js';
import { openPage } from './browser.js';

/** The topologies of the examples, by the names of their files. */
export const service = { 'service.gg': example('service.gg') };
export const parcel = Object.fromEntries(
  ['main', 'claims', 'common', 'network', 'people', 'prices', 'shipping', 'tracking'].map((name) => [
    `${name}.gg`,
    example(`parcel/${name}.gg`),
  ]),
);

function example(path: string): string {
  return readFileSync(new URL(`../../docs/examples/${path}`, import.meta.url), 'utf8');
}

/** Opens the studio of a server, with a part selected, and waits for its graph and the place of its camera. */
export async function openStudio(
  origin: string,
  { fragment = '', ...options }: BrowserContextOptions & { readonly fragment?: string } = {},
): Promise<Page> {
  const page = await openPage(`${origin}/_gg/${fragment}`, options);
  await page.locator('.graph .box').first().waitFor();
  await cameraOf(page);
  return page;
}

/** Replaces the stream of messages of a page, which is loaded again. */
export async function stubMessages(page: Page): Promise<(message: StudioMessage) => Promise<void>> {
  await page.addInitScript(`
    window.EventSource = class {
      static CLOSED = 2;
      readyState = 1;
      constructor() { window.stream = this; queueMicrotask(() => this.onopen()); }
      close() {}
    };
  `);
  await page.reload();
  await page.locator('.graph .box').first().waitFor();
  return async (message) => {
    await page.evaluate(`window.stream.onmessage({ data: ${JSON.stringify(JSON.stringify(message))} })`);
  };
}

/** The part of the graph with a name: `(read_user)`, `Query.readUser`. */
export function partOf(page: Page, name: string) {
  return page.locator(`[data-part=${JSON.stringify(name)}]`);
}

/**
 * Where the drawing is seen. The camera glides, and moves in each frame until it rests; effects, which may start it, run
 * after a frame.
 */
export async function cameraOf(page: Page): Promise<{ x: number; y: number; scale: number }> {
  const text = await page.evaluate<string>(`(async () => {
    const place = () => document.querySelector('.graph > svg > g')?.getAttribute('transform');
    let former;
    for (let frames = 0; frames < 4; ) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      frames = place() && place() === former ? frames + 1 : 0;
      former = place();
    }
    return former;
  })()`);
  const [, x, y, scale] = /translate\((\S+) (\S+)\) scale\((\S+)\)/.exec(text) ?? [];
  return { x: Number(x), y: Number(y), scale: Number(scale) };
}

/** Lets the page keep the classes of the spots of light, each of which lasts less than a second. Returns those until now. */
export async function keepPulses(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`
    window.pulses = [];
    new MutationObserver((records) => records.forEach(({ addedNodes }) =>
      addedNodes.forEach((node) => window.pulses.push(node.getAttribute('class').trim()))))
      .observe(document.querySelector('.pulses'), { childList: true });
  `);
  return () => page.evaluate('window.pulses');
}

/** A function that runs in the page, from its source: the tests have no types of the DOM. */
export function inPage<Result>(source: string): (argument: unknown) => Result {
  return new Function(`return ${source}`)();
}
