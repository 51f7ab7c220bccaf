import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createGqlServer } from '../../src/index.js';
import { directoryWith } from '../tools/cli/stand-in-io.js';
import { loadResolvers } from './load-resolvers.js';
import { codeBlocks } from './markdown.js';

const blocks = codeBlocks(readFileSync('docs/questions.md', 'utf8'));
const topologies = blocks.filter(({ language }) => language === 'gg').map(({ text }) => text);
/** The modules of resolvers. */
const modules = blocks.filter(({ text }) => text.includes('export default')).map(({ text }) => text);

/** A server of the topology that has a text, with the resolvers of the page. */
async function serve(part: string, module: string) {
  const file = join(directoryWith(), 'page.resolvers.mjs');
  writeFileSync(file, modules.find((text) => text.includes(module)) ?? '');
  const source = topologies.find((text) => text.includes(part)) ?? '';
  const server = createGqlServer({
    topologies: [{ name: 'page.gg', source }],
    resolvers: await loadResolvers(file),
  });
  return async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await server.fetch(new Request(`http://localhost${path}`, init));
    return [response.status, await response.json()];
  };
}

describe('docs/questions.md', () => {
  test('tells a field that a PATCH leaves out from one that it clears', async () => {
    const call = await serve('changePatient', 'changePatient');
    const change = (given: object) => call('PATCH', '/api/patients/7', { change: given });
    expect(await change({})).toEqual([200, { id: '7', name: 'Ada', phone: '1815' }]);
    expect(await change({ phone: null })).toEqual([200, { id: '7', name: 'Ada', phone: null }]);
    expect((await change({ name: null }))[0]).toBe(400);
    expect(await change({ name: 'Bea' })).toEqual([200, { id: '7', name: 'Bea', phone: '1815' }]);
  });

  test('sorts by an enum, and refuses another order', async () => {
    const call = await serve('VisitOrder', 'OLDEST');
    const idsOf = async (path: string) => {
      const [, visits] = await call('GET', path);
      return visits.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf('/api/visits')).toEqual(['2', '1']);
    expect(await idsOf('/api/visits?order=OLDEST')).toEqual(['1', '2']);
    expect((await call('GET', '/api/visits?order=RANDOM'))[0]).toBe(400);
  });

  test('answers from a cache when the service is down', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(Response.json({ isbn: '1', cents: 5 }));
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const call = await serve('cached_price', 'cachedPrice');
    expect(await call('GET', '/api/price?isbn=1')).toEqual([200, { isbn: '1', cents: 5 }]);
    fetched.mockResolvedValue(new Response('', { status: 503 }));
    expect(await call('GET', '/api/price?isbn=1')).toEqual([200, { isbn: '1', cents: 5 }]);
    expect(logged).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
  });

  test('spells the value of an enum as REST callers expect', async () => {
    const call = await serve('TaskState', 'IN_PROGRESS');
    expect(await call('GET', '/api/tasks?state=in-progress')).toEqual([200, [{ id: '1', state: 'in-progress' }]]);
    expect((await call('GET', '/api/tasks?state=OPEN'))[1]).toEqual([]);
    expect((await call('GET', '/api/tasks?state=IN_PROGRESS'))[0]).toBe(400);
  });

  test('returns several types without a race', async () => {
    const call = await serve('Interface', 'Nurse');
    expect(await call('GET', '/api/staff')).toEqual([
      200,
      [
        { __typename: 'Doctor', id: 'd1', field: 'surgery' },
        { __typename: 'Nurse', id: 'n1', ward: 'east' },
      ],
    ]);
  });
});
