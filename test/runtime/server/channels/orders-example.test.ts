import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import { type Programs, preparePrograms, start } from './programs.js';

const example = fileURLToPath(new URL('../../../../docs/examples/orders', import.meta.url));

let programs: Programs;
beforeAll(async () => {
  programs = await preparePrograms();
});
afterAll(() => programs.remove());

test('the topology of the example compiles without a warning', () => {
  const source = readFileSync(join(example, 'orders.gg'), 'utf8');
  const { diagnostics } = compile({ name: 'orders.gg', source });
  expect(diagnostics.filter(({ severity }) => severity !== 'information')).toEqual([]);
});

test('the orders example runs with one command: an HTTP and a file input, a file output, and FORK events', async () => {
  // A package of its own around the example, in which `gg-svc` is the source as it is now.
  const folder = join(programs.folder, 'example');
  mkdirSync(folder);
  const exports = { '.': './gg-svc.js', './channels': './channels.js' };
  writeFileSync(join(programs.folder, 'package.json'), JSON.stringify({ name: 'gg-svc', type: 'module', exports }));
  cpSync(example, folder, { recursive: true });
  const running = start([join(folder, 'serve.mjs'), '0']);
  while (!running.lines.includes('Ctrl-C ends it.')) await running.said(running.lines.length + 1);
  const told = running.lines.join('\n');
  const origin = /The API +(\S+)/.exec(told)?.[1] ?? '';
  const inbox = />> (\S+)/.exec(told)?.[1] ?? '';
  const shipments = /The shipments +cat (\S+)/.exec(told)?.[1] ?? '';
  const get = async (path: string) => (await fetch(`${origin}${path}`)).json();

  expect(await get('/api/price?sku=tea')).toEqual({ sku: 'tea', cents: 450, currency: 'EUR' });
  expect(await get('/api/price?sku=gold')).toBeNull();
  expect(await get('/api/offer?sku=tea')).toMatchObject({
    __typename: expect.stringMatching(/Price$/),
    cents: 450,
  });
  expect(await get('/api/orders?sku=cup')).toEqual([{ id: '2', sku: 'cup', count: 1 }]);
  expect(((await get('/openapi.json')) as { 'x-io': unknown[] })['x-io'].length).toBe(4);

  const sent = await listen(origin, 'subscription { shipmentSent { id order } }');
  const arrived = await listen(origin, 'subscription { orderArrived(sku: "tea") { id count } }');
  const input = { id: 's1', order: '1', to: 'Ada, Hamburg' };
  const shipped = await fetch(`${origin}/api/shipment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });
  expect(await shipped.json()).toEqual(input);
  expect(await sent()).toEqual({ data: { shipmentSent: { id: 's1', order: '1' } } });
  expect(readFileSync(shipments, 'utf8')).toBe('{"id":"s1","order":"1","to":"Ada, Hamburg"}\n');
  appendFileSync(inbox, '{"id":"3","sku":"cup","count":4}\n{"id":"4","sku":"tea","count":5}\n');
  expect(await arrived()).toEqual({ data: { orderArrived: { id: '4', count: 5 } } });

  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(inbox)).toBe(false);
});

/** Subscribes over SSE; what comes back gives the next event. */
async function listen(origin: string, query: string): Promise<() => Promise<unknown>> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const event = /^event: next\ndata: (.*)\n\n/m.exec(text);
      if (event !== null) {
        text = text.slice(event.index + event[0].length);
        return JSON.parse(event[1] ?? '');
      }
      const { value, done } = (await reader?.read()) ?? { done: true, value: '' };
      if (done) throw new Error(`The stream ended after: ${text}`);
      text += value;
    }
  };
}
