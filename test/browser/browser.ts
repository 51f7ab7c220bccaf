import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';

/** Debian's name of the browser; CHROMIUM names another program. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A name that the browser resolves to this machine, as an attacker's name server would. */
export const reboundName = 'rebound.example';

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/**
 * Opens an address in headless Chromium. At the end of the test, errors on the console, uncaught errors, and requests
 * to any other address fail it.
 */
export async function openPage(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${reboundName} 127.0.0.1`];
  browser ??= chromium.launch({ executablePath, args, timeout: 120_000 });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin, protocol } = new URL(address);
  const own = protocol === 'file:' ? 'file://' : origin;
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${own}/`) && !/^(?:data|blob):/.test(url)) faults.push(`request: ${url}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults.filter((fault) => !expected.get(page)?.some((pattern) => pattern.test(fault)))).toEqual([]);
  });
  await page.goto(address);
  return page;
}

const expected = new WeakMap<Page, RegExp[]>();

/** Accepts faults that the test provokes, such as the console message about a refused request. */
export function expectFault(page: Page, pattern: RegExp): void {
  expected.set(page, [...(expected.get(page) ?? []), pattern]);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks a page, or a frame of one, with axe, by the rules of WCAG 2.2 AA and its best practices. */
export async function checkAccessibility(page: Pick<Page, 'evaluate'>): Promise<void> {
  const evaluated = await page.evaluate(`${axeSource}; axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`);
  expect(evaluated).toEqual([]);
}
