import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkAccessibility, expectFault, openPage } from './browser.js';
import { startDev } from './dev-server.js';
import { openTab, select, takeShots } from './panel.js';

const service = readFileSync(new URL('../../docs/examples/service.gg', import.meta.url), 'utf8');
const resolvers = `
let saved = 0;
const found = { __typename: 'CachedVerdict', clean: true, reachedAt: '<b>now</b>' };
export default {
  Query: {
    readUser: (_, { id }) => ({ id, name: 'Ada', email: '<img src=x onerror=alert(1)>' }),
    scanResult: (_, { url }) => ({ url, verdict: found }),
  },
  Mutation: { saveUser: (_, { input }) => ({ id: String(++saved), name: input?.name ?? 'Nobody', email: null }) },
};
`;
const files = { 'service.gg': service, 'service.resolvers.mjs': resolvers };
const folder = new URL('../../docs/examples/parcel/', import.meta.url);
const parcel = Object.fromEntries(
  ['main.gg', ...readdirSync(folder).filter((name) => /\.gg$|resolvers\.mjs$/.test(name))].map((name) => [
    name,
    readFileSync(new URL(name, folder), 'utf8'),
  ]),
);

async function openTry(origin: string, coordinate: string): Promise<Page> {
  const page = await openPage(`${origin}/_gg/`);
  await select(page, coordinate);
  await openTab(page, 'Try it');
  return page;
}

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

async function bodyOf(page: Page): Promise<unknown> {
  const text = await page.getByRole('region', { name: 'Body of the response' }).textContent();
  return JSON.parse(text ?? '');
}

describe('one form calls', () => {
  test('a query over REST and over GraphQL, with chosen fields', async () => {
    const { origin } = await startDev(files);
    const page = await openTry(origin, 'Query.readUser');
    await page.getByRole('textbox', { name: 'id' }).fill('7');
    await send(page);
    await page.getByText('200 OK').waitFor();
    expect(await bodyOf(page)).toMatchObject({ id: '7', name: 'Ada' });
    await page.getByText('Fields of the answer').click();
    await page.getByRole('checkbox', { name: 'email' }).uncheck();
    await send(page);
    await expect.poll(() => bodyOf(page)).toEqual({ id: '7', name: 'Ada', status: 'ACTIVE' });
    await page.getByRole('radio', { name: 'GraphQL' }).check();
    await send(page);
    // The type is the same, so its chosen fields are as well.
    await expect
      .poll(() => bodyOf(page))
      .toEqual({
        data: { readUser: { id: '7', name: 'Ada', status: 'ACTIVE' } },
      });
    await page.getByRole('button', { name: 'Default fields' }).click();
    await send(page);
    await expect
      .poll(() => bodyOf(page))
      .toMatchObject({
        data: { readUser: { email: '<img src=x onerror=alert(1)>' } },
      });
    expect(await page.locator('img').count()).toBe(0);
    await checkAccessibility(page);
    await takeShots(page, 'panel-try');
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkAccessibility(page);
  });

  test('a mutation; optional arguments are sent only if they are ticked', async () => {
    const { origin } = await startDev(files);
    const page = await openTry(origin, 'Mutation.saveUser');
    await send(page);
    await expect.poll(() => bodyOf(page)).toMatchObject({ name: 'Nobody' });
    await page.getByRole('checkbox', { name: 'input' }).check();
    await page.getByRole('checkbox', { name: 'name' }).check();
    await page.getByRole('textbox', { name: 'name' }).fill('Grace');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => bodyOf(page)).toMatchObject({ name: 'Grace' });
    await page.getByRole('button', { name: 'input is null' }).click();
    await send(page);
    await expect.poll(() => bodyOf(page)).toMatchObject({ name: 'Nobody' });
  });

  test('a field with arguments: controls over GraphQL, not offered over REST', async () => {
    const topology = `(part { size(unit: String!, digits: Int): Float! })
(box { id: ID!, size(unit: String!): Int!, part: Part })
(root)-[:PROCESS { id: ID! }]->(box)
`;
    const resolvers = `export default {
      Query: { box: (_, { id }) => ({ id, part: {} }) },
      Box: { size: (_, { unit }) => unit === 'cm' ? 10 : 4 },
      Part: { size: (_, { unit, digits }) => unit === 'mm' && digits === 1 ? 0.5 : 9 },
    };`;
    const { origin } = await startDev({ 'box.gg': topology, 'box.resolvers.mjs': resolvers });
    const page = await openTry(origin, 'Query.box');
    await page.getByText('Fields of the answer').click();
    expect(await page.getByRole('checkbox', { name: 'size', disabled: true }).count()).toBe(2);
    await page.getByText('takes arguments: GraphQL only').first().waitFor();
    await page.getByRole('radio', { name: 'GraphQL' }).check();
    await page.getByRole('checkbox', { name: 'size' }).first().check();
    const own = page.getByRole('group', { name: 'Arguments of size', exact: true });
    await own.getByRole('textbox', { name: 'unit' }).fill('cm');
    await send(page);
    await expect.poll(() => bodyOf(page)).toMatchObject({ data: { box: { size: 10 } } });
    await page.getByRole('checkbox', { name: 'part' }).check();
    await page.getByRole('checkbox', { name: 'size' }).last().check();
    const inner = page.getByRole('group', { name: 'Arguments of part.size' });
    await inner.getByRole('textbox', { name: 'unit' }).fill('mm');
    await inner.getByRole('checkbox', { name: 'digits' }).check();
    await inner.getByRole('spinbutton', { name: 'digits' }).fill('1');
    await send(page);
    await expect.poll(() => bodyOf(page)).toMatchObject({ data: { box: { size: 10, part: { size: 0.5 } } } });
    await checkAccessibility(page);
    await takeShots(page, 'panel-field-arguments');
    await page.getByRole('radio', { name: 'REST' }).check();
    await send(page);
    await page.getByText('200 OK').waitFor();
    await expect.poll(() => bodyOf(page)).toMatchObject({ id: expect.any(String) });
    await checkAccessibility(page);
  });

  test('a subscription, which lists its events until it is stopped', async () => {
    const { origin } = await startDev(files);
    const page = await openTry(origin, 'Subscription.userSaved');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('listening …').waitFor();
    for (const name of ['Ada', 'Grace']) {
      await fetch(`${origin}/api/saveUser`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { name } }),
      });
      await page
        .getByRole('region', { name: /^Event/ })
        .filter({ hasText: name })
        .waitFor();
    }
    await page.getByRole('region', { name: 'Exchange' }).getByText('2 events').waitFor();
    await checkAccessibility(page);
    await takeShots(page, 'panel-events');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('listening …').waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: /^Event/ }).count()).toBe(2);
  });

  test('every operation of the larger example over REST and GraphQL with its examples', async () => {
    const { origin } = await startDev(parcel, ['dev', 'main.gg']);
    const page = await openPage(`${origin}/_gg/`);
    const state = (await (await fetch(`${origin}/_gg/api/state`)).json()) as {
      api: { schema: { queries: { name: string }[]; mutations: { name: string }[] } };
    };
    const { queries, mutations } = state.api.schema;
    const all = [...queries.map(({ name }) => `Query.${name}`), ...mutations.map(({ name }) => `Mutation.${name}`)];
    expect(all.length).toBeGreaterThan(10);
    await select(page, all[0] as string);
    await openTab(page, 'Try it');
    expectFault(page, /status of (?:4|5)\d\d/);
    for (const coordinate of all) {
      for (const protocol of ['REST', 'GraphQL']) {
        await select(page, coordinate);
        await page.getByRole('form', { name: `Call ${coordinate.split('.')[1]}` }).waitFor();
        await page.getByRole('radio', { name: protocol }).check();
        await send(page);
        await page.getByText(/^\d{3} [A-Z]/).waitFor();
        // The examples are valid, whatever the resolvers answer.
        expect(await page.getByRole('region', { name: 'Body of the response' }).textContent()).not.toMatch(
          /BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED|GRAPHQL_PARSE_FAILED/,
        );
      }
    }
    await select(page, 'Mutation.bookShipment');
    // axe reads the name of an edge and its text at different times: the numbers of the calls must have settled.
    let former: string | null = null;
    const settled = async () => {
      const before = former;
      former = await page.locator('.graph').first().textContent();
      return former === before;
    };
    await expect.poll(settled, { interval: 500 }).toBe(true);
    await checkAccessibility(page);
    await takeShots(page, 'panel-parcel');
  });
});

describe('a form', () => {
  test('shows an error beside the control, and is not sent', async () => {
    const topology = `(shop)-[:PROCESS {
  operation: 'find',
  /// @minimum 1
  /// @maximum 5
  count: Int!,
  data: JSON,
}]->(box { id: ID!, one: 1 })`;
    const { origin } = await startDev({ 'shop.gg': topology });
    const page = await openTry(origin, 'Query.find');
    await page.getByRole('spinbutton', { name: 'count' }).fill('9');
    await page.getByText('The value must be at most 5.').waitFor();
    await page.getByRole('checkbox', { name: 'data' }).check();
    await page.getByRole('textbox', { name: 'data' }).fill('{');
    await page.getByText(/^Expected a value of JSON/).waitFor();
    await checkAccessibility(page);
    await send(page);
    expect(await page.getByRole('region', { name: 'Exchange' }).count()).toBe(0);
  });

  test('keeps its contents over a reload, a change of the topology, and a stopped server', async () => {
    const server = await startDev(files);
    const page = await openTry(server.origin, 'Query.readUser');
    await page.getByRole('textbox', { name: 'id' }).fill('typed');
    await page.reload();
    await openTab(page, 'Try it');
    expect(await page.getByRole('textbox', { name: 'id' }).inputValue()).toBe('typed');
    server.write(
      'service.gg',
      service.replace('{ id: ID! }]->(read_user)', '{ id: ID!, full: Boolean }]->(read_user)'),
    );
    await page.getByRole('checkbox', { name: 'full' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'id' }).inputValue()).toBe('typed');
    expectFault(page, /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/);
    const ended = new Promise((resolve) => server.process.once('exit', resolve));
    server.process.kill('SIGKILL');
    await ended;
    await send(page);
    await page.getByText('The server did not answer').waitFor();
    expect(await page.getByRole('textbox', { name: 'id' }).inputValue()).toBe('typed');
  });

  test('adds and removes elements of lists, and chooses the member of a @oneOf input', async () => {
    const topology = `(target: Input:OneOf { url: String, id: ID })
(shop)-[:PROCESS { operation: 'find', words: [String!]!, target: Target! }]->(box { id: ID!, one: 1 })`;
    const { origin } = await startDev({ 'shop.gg': topology });
    const page = await openTry(origin, 'Query.find');
    await page.getByRole('button', { name: 'Add to words' }).click();
    await page.getByRole('textbox', { name: 'words 2' }).fill('second');
    await page.getByRole('button', { name: 'Remove words 1' }).click();
    await page.getByRole('combobox', { name: 'One of' }).selectOption('id');
    await page.getByRole('textbox', { name: 'id' }).fill('x');
    await page.getByText('Variables').click();
    const variables = await page.getByRole('region', { name: 'Variables' }).textContent();
    expect(JSON.parse(variables ?? '')).toEqual({ words: ['second'], target: { id: 'x' } });
  });
});

test('credentials of the session are sent, and do not appear in code', async () => {
  const topology = `(shop)-[:PROCESS { operation: 'secret', auth: 'required' }]->(box { text: 'Hello' })`;
  const context = `export const authenticate = ({ header }) =>
    header('authorization') === 'Bearer s3cret' ? { id: 'ada' } : null;`;
  const { origin } = await startDev({ 'shop.gg': topology, 'shop.context.mjs': context });
  const page = await openTry(origin, 'Query.secret');
  await page.getByText('Credentials and headers').click();
  await page.getByLabel('Bearer token').fill('s3cret');
  await page.getByLabel('Further headers').fill('no header');
  await page.getByText('“no header” is not a header.').waitFor();
  await page.getByLabel('Further headers').fill('x-trace: 1');
  const request = page.waitForRequest('**/api/secret');
  await send(page);
  const sent = await request;
  expect(await sent.allHeaders()).toMatchObject({ authorization: 'Bearer s3cret', 'x-trace': '1' });
  expect((await sent.response())?.status()).toBe(200);
  await page.getByText('curl', { exact: true }).click();
  const curl = await page.getByRole('region', { name: 'curl' }).textContent();
  expect(curl).toContain(`-H 'authorization: Bearer '"$TOKEN"`);
  expect(curl).not.toContain('s3cret');
  await checkAccessibility(page);
});

test('the code of a call can be copied', async () => {
  const { origin } = await startDev(files);
  const page = await openTry(origin, 'Query.readUser');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const title of ['curl', 'TypeScript', 'GraphQL', 'Variables']) {
    await page.locator('summary', { hasText: title }).click();
    await page.getByRole('button', { name: `Copy ${title}` }).click();
    const text = await page.getByRole('region', { name: title, exact: true }).textContent();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
  await takeShots(page, 'panel-code');
});

test('the form works on a narrow page', async () => {
  const { origin } = await startDev(parcel, ['dev', 'main.gg']);
  const page = await openPage(`${origin}/_gg/`, { viewport: { width: 700, height: 800 } });
  await select(page, 'Mutation.bookShipment');
  for (const tab of ['Source', 'Reference', 'Calls', 'Try it']) {
    await openTab(page, tab);
    await checkAccessibility(page);
    const panel = page.getByRole('complementary', { name: 'Selected part' });
    const box = await panel.boundingBox();
    expect(box?.width).toBeGreaterThan(250);
    // Nothing is cut at the right: only texts of code scroll.
    expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(1);
  }
  await page.getByRole('textbox', { name: 'senderId' }).fill('5');
  await send(page);
  await page.getByText(/^\d{3} [A-Z]/).waitFor();
  await takeShots(page, 'panel-narrow');
});
