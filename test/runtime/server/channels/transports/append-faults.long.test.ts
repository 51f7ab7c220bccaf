import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJsonLinesChannel } from '../../../../../src/runtime/server/channels/transports/json-lines.js';
import { callOf, scratchFolder } from '../io-server.js';
import { limitedFiles, type Programs, preparePrograms, smallDisk, start } from '../programs.js';

let programs: Programs;
beforeAll(async () => {
  programs = await preparePrograms();
});
afterAll(() => programs.remove());

interface Written {
  readonly run: string;
  readonly n: number;
  readonly pad: string;
}

describe('appending, while processes are killed', () => {
  test('keeps each acknowledged record, once and whole', async () => {
    const writer = programs.add(
      'writer.mjs',
      `import { writeSync } from 'node:fs';
       import { createJsonLinesChannel } from './channels.js';
       const [path, run] = process.argv.slice(2);
       const channel = createJsonLinesChannel({ node: 'log', direction: 'out', path });
       const signal = new AbortController().signal;
       // Long enough for a kill to come in the middle of a record, each of another length, and three at a time,
       // so that several are written by one call.
       const append = async (first) => {
         for (let n = first; ; n += 3) {
           await channel.write({ run, n, pad: 'x'.repeat(100_000 + n) }, { signal });
           writeSync(1, n + '\\n');
         }
       };
       await Promise.all([0, 1, 2].map(append));`,
    );
    const path = join(scratchFolder(), 'log.jsonl');
    const acknowledged = new Set<string>();
    let attempted = 0;
    for (let round = 0; round < 12; round++) {
      // Two at a time, on the same file.
      const runs = ['a', 'b'].map((name) => ({
        run: `${round}${name}`,
        ...start([writer, path, `${round}${name}`]),
      }));
      await Promise.all(runs.map(({ said }, at) => said(1 + ((round * 3 + at) % 5))));
      for (const { child } of runs) child.kill('SIGKILL');
      for (const { run, lines, ended } of runs) {
        expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
        for (const line of lines) acknowledged.add(`${run} ${line}`);
        attempted += lines.length + 3;
      }
    }
    const channel = createJsonLinesChannel({ node: 'log', direction: 'inout', path });
    await channel.write?.({ run: 'last', n: 0, pad: 'x'.repeat(100_000) }, callOf());
    const records = (await channel.read?.(callOf())) as Written[];
    const found = records.map(({ run, n }) => `${run} ${n}`);
    expect(new Set(found).size).toBe(found.length);
    expect([...acknowledged].filter((record) => !found.includes(record))).toEqual([]);
    expect(records.filter(({ n, pad }) => pad.length !== 100_000 + n)).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(attempted + 1);
    expect(found).toContain('last 0');
  });
});

/** A server whose mutation appends 1000 bytes; it is told what to do line by line, and answers so. */
const server = `
  import { createInterface } from 'node:readline';
  import { buildRuntimeIoProjectionLayer, compile, createGqlServer } from './gg-svc.js';
  import { createJsonLinesChannel } from './channels.js';
  console.error = () => undefined;
  const source = \`
    (form { id: ID!, pad: String! })-[:FOLD]->(saved { id: ID! })
    (root)-[:PROCESS { returns: [Saved!]! }]->(saved)
    (root)-[:PROCESS]->(hello { text: 'Hello' })
  \`;
  const channels = [createJsonLinesChannel({ node: 'saved', direction: 'inout', path: process.argv[2] })];
  const layer = buildRuntimeIoProjectionLayer({ graph: compile(source).ast, channels });
  const server = createGqlServer({ topologies: [{ name: 'saved.gg', source }], layers: [layer] });
  const ask = async (path, body) => {
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await server.fetch(new Request('http://localhost' + path, init));
    return { status: response.status, body: await response.json() };
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = line === 'read' ? await ask('/api/saved') : line === 'hello' ? await ask('/api/hello')
      : await ask('/api/saved', { input: { id: line, pad: 'x'.repeat(1000) } });
    process.stdout.write(JSON.stringify(answer) + '\\n');
  }`;

describe.each([
  ['a limit on the size of files', limitedFiles],
  ['a full disk', smallDisk],
])('%s', (_what, make) => {
  test('fails the mutation with the name of the node; the server stays up, and no record is lost', async () => {
    const disk = make();
    const path = join(disk.folder, 'saved.jsonl');
    const running = disk.start(programs.add('server.mjs', server), path);
    const tell = async (line: string) => {
      const count = running.lines.length + 1;
      running.child.stdin?.write(`${line}\n`);
      await running.said(count);
      return JSON.parse(running.lines.at(-1) ?? '');
    };
    const taken: string[] = [];
    const refused: unknown[] = [];
    for (let id = 0; id < 24; id++) {
      const { status, body } = await tell(String(id));
      if (status === 200) taken.push(body.id);
      else refused.push({ status, code: body.code, node: body.node, detail: body.detail });
    }
    expect(taken.length).toBeGreaterThan(5);
    expect(refused.length).toBeGreaterThan(5);
    for (const refusal of refused) {
      expect(refusal).toEqual({
        status: 502,
        code: 'GG5011',
        node: 'saved',
        detail: expect.stringMatching(
          /^The channel of the node saved \(jsonl\) failed: (the disk is full|the file has reached its maximum size|the record was written incompletely)\.$/,
        ),
      });
    }
    expect(await tell('hello')).toEqual({ status: 200, body: { text: 'Hello' } });
    const { body } = await tell('read');
    expect(body.map(({ id }: { id: string }) => id)).toEqual(taken);
    running.child.stdin?.end();
    expect(await running.ended).toEqual({ code: 0, signal: null });
  });
});

describe('a full device', () => {
  test('fails the record with a readable message, and nothing else', async () => {
    expect(existsSync('/dev/full')).toBe(true);
    const channel = createJsonLinesChannel({ node: 'log', direction: 'out', path: '/dev/full' });
    await expect(channel.write?.({ id: 1 }, callOf())).rejects.toMatchObject({
      fault: 'failed',
      reason: 'the disk is full',
    });
  });
});

describe('a record that was written in part', () => {
  test('is given up, and the next one is on a separate line', async () => {
    const disk = limitedFiles();
    const path = join(disk.folder, 'log.jsonl');
    const program = programs.add(
      'partial.mjs',
      `import { createJsonLinesChannel } from './channels.js';
       const channel = createJsonLinesChannel({ node: 'log', direction: 'out', path: process.argv[2] });
       const signal = new AbortController().signal;
       const write = (id, length) => channel.write({ id, pad: 'x'.repeat(length) }, { signal }).then(
         () => id + ' taken', ({ reason }) => id + ' ' + reason);
       // Three at once are written by one call: the first is whole, the second is not, the third not begun.
       const outcomes = await Promise.all([write(0, 10), write(1, 10_000), write(2, 10_000), write(3, 100)]);
       outcomes.push(await write(4, 100));
       for (const outcome of outcomes) process.stdout.write(outcome + '\\n');`,
    );
    const running = disk.start(program, path);
    await running.ended;
    const full = 'the file has reached its maximum size';
    expect(running.lines).toEqual(['0 taken', '1 taken', `2 ${full}`, `3 ${full}`, `4 ${full}`]);
    const channel = createJsonLinesChannel({ node: 'log', direction: 'inout', path });
    await channel.write?.({ id: 5 }, callOf());
    const records = (await channel.read?.(callOf())) as { id: number }[];
    expect(records.map(({ id }) => id)).toEqual([0, 1, 5]);
    expect(readFileSync(path, 'utf8')).toContain('x\u0018\n{"id":5}\n');
  });
});
