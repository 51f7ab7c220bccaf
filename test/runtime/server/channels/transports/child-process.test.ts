import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RuntimeIoChannel } from '../../../../../src/runtime/server/channels/binding/channel.js';
import {
  type ChildProcessOptions,
  createChildProcessChannel,
} from '../../../../../src/runtime/server/channels/transports/child-process.js';
import { until } from '../../http-server.js';
import { subscribe } from '../../subscriber.js';
import { ask, post } from '../../topology-server.js';
import { callOf, recordsOf, scratchFolder, serveIo, take } from '../io-server.js';

/** A program: what it does with each request that it gets; `say` answers in JSON, `write` as it is. */
function programOf(text: string): string {
  const path = join(scratchFolder(), 'program.mjs');
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
     const write = (text) => process.stdout.write(text);
     const say = (message) => write(JSON.stringify(message) + '\\n');
     for await (const line of createInterface({ input: process.stdin })) {
       const request = JSON.parse(line);
       const { id, op, operation, args, record } = request;
       ${text}
     }`,
  );
  return path;
}

function channelOf(text: string, options: Partial<ChildProcessOptions> = {}) {
  const channel = createChildProcessChannel({
    node: 'near',
    direction: 'inout',
    command: process.execPath,
    args: [programOf(text)],
    ...options,
  });
  onTestFinished(async () => channel.close?.());
  return channel;
}

const failure = (fault: string, reason: unknown) => expect.objectContaining({ fault, reason });
const echo = 'say({ id, value: { pid: process.pid, op, operation, args, record } });';

async function pidOf(channel: RuntimeIoChannel): Promise<{ pid: number }> {
  return (await channel.read?.(callOf())) as { pid: number };
}

afterEach(() => vi.restoreAllMocks());

describe('asking a program', () => {
  test('gets the answers of one process in any order', async () => {
    const channel = channelOf(`
      globalThis.late ??= [];
      late.push(() => say({ id, value: { pid: process.pid, op, operation, args, record } }));
      if (late.length === 3) for (const answer of late.reverse()) answer();`);
    const answers = (await Promise.all([
      channel.read?.(callOf({ operation: 'stock', args: { sku: 'tea' } })),
      channel.write?.({ sku: 'cup' }, callOf({ operation: 'saveStock' })),
      channel.read?.(callOf()),
    ])) as { pid: number }[];
    const { pid } = answers[0] as { pid: number };
    expect(answers).toEqual([
      { pid, op: 'read', operation: 'stock', args: { sku: 'tea' } },
      { pid, op: 'write', operation: 'saveStock', record: { sku: 'cup' } },
      { pid, op: 'read', operation: 'operation', args: {} },
    ]);
  });

  test('runs it in the given folder with the given environment', async () => {
    const cwd = scratchFolder();
    const channel = channelOf('say({ id, value: [process.cwd(), process.env.FLAVOUR] });', {
      cwd,
      env: { FLAVOUR: 'mint' },
    });
    expect(await channel.read?.(callOf())).toEqual([expect.stringContaining(cwd), 'mint']);
  });

  test('gets the error of the program, shortened', async () => {
    const channel = channelOf("say({ id, error: 'no such thing' + ' '.repeat(10) + 'x'.repeat(500) });");
    await expect(channel.read?.(callOf())).rejects.toEqual(
      failure('failed', expect.stringMatching(/^the program reported: no such thing {10}x{177}$/)),
    );
  });

  test('starts it on first use, and again after it was killed', async () => {
    const channel = channelOf(`if (args.die) process.kill(process.pid, 'SIGKILL'); else { ${echo} }`);
    const first = await pidOf(channel);
    const waiting = [channel.read?.(callOf({ args: { die: true } })), channel.read?.(callOf())];
    for (const settled of await Promise.allSettled(waiting)) {
      expect(settled).toEqual({
        status: 'rejected',
        reason: failure('failed', 'the program exited on the signal SIGKILL'),
      });
    }
    const second = await pidOf(channel);
    expect(second.pid).not.toBe(first.pid);
  });

  test('fails if it ends by itself', async () => {
    await expect(channelOf('process.exit(3);').read?.(callOf())).rejects.toEqual(
      failure('failed', 'the program exited with the code 3'),
    );
  });

  test('fails if it cannot be started', async () => {
    const channel = channelOf('', { command: '/no/such/program' });
    await expect(channel.read?.(callOf())).rejects.toEqual(failure('failed', 'the program cannot be started'));
    await expect(take(channel.subscribe?.(callOf()), 1)).rejects.toEqual(
      failure('failed', 'the program cannot be started'),
    );
  });

  test.each([
    ["write('oh no\\n');", 'line 1 is not JSON'],
    ['write(Buffer.from([0xff, 10]));', 'line 1 is not UTF-8 text'],
    ["write('\"' + 'x'.repeat(200));", 'line 1 is longer than 100 bytes'],
    ["write('\\n{}\\n');", 'line 2 is neither an answer nor an event'],
    ["write('null\\n');", 'line 1 is neither an answer nor an event'],
    ['process.stdout.write(\'{"id":1,\', () => process.exit());', 'the program ended in the middle of a line'],
  ])('fails at %s, and ends it', async (garbage, reason) => {
    const channel = channelOf(`if (args.bad) { ${garbage} } else { ${echo} }`, { maxLine: 100 });
    await expect(channel.read?.(callOf({ args: { bad: true } }))).rejects.toEqual(failure('unreadable', reason));
    expect(await channel.read?.(callOf())).toMatchObject({ op: 'read' });
  });

  test('does not wait for the answer to a cancelled request, and ignores it', async () => {
    const channel = channelOf(`
      if (args.slow) globalThis.slow = id;
      else { say({ id: globalThis.slow, value: 'late' }); ${echo} }`);
    const controller = new AbortController();
    const slow = channel.read?.(callOf({ args: { slow: true }, signal: controller.signal }));
    controller.abort(new Error('gone'));
    await expect(slow).rejects.toThrow('gone');
    expect(await channel.read?.(callOf())).toMatchObject({ op: 'read' });
    await expect(channel.read?.(callOf({ signal: controller.signal }))).rejects.toThrow('gone');
  });

  test('rejects a request if too many wait, or if it is too long', async () => {
    const channel = channelOf('if (args.go) process.exit(0);', { maxPending: 2, maxLine: 200 });
    const controller = new AbortController();
    const waiting = [1, 2].map(() => channel.read?.(callOf({ signal: controller.signal })));
    await expect(channel.read?.(callOf())).rejects.toEqual(
      failure('overrun', '2 requests wait for their answers already'),
    );
    controller.abort(new Error('gone'));
    await Promise.allSettled(waiting);
    await expect(channel.write?.('x'.repeat(300), callOf())).rejects.toEqual(
      failure('unreadable', 'the record is longer than 200 bytes'),
    );
  });

  test('ends it when the channel is closed, even if it ignores signals', async () => {
    const polite = channelOf(echo);
    const { pid } = await pidOf(polite);
    await polite.close?.();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const deaf = channelOf(`${echo} setInterval(() => undefined, 1000);`);
    const other = await pidOf(deaf);
    await deaf.close?.();
    expect(() => process.kill(other.pid, 0)).toThrow('ESRCH');
    await deaf.close?.();
  });
});

describe('subscribing to a program', () => {
  test('receives its events between answers, once there is a subscriber', async () => {
    const channel = channelOf(`
      if (op === 'subscribe') { say({ event: 1 }); say({ event: 2 }); }
      else { say({ event: 3 }); ${echo} }`);
    const both = [1, 2].map(() => take(channel.subscribe?.(callOf()), 3));
    await channel.read?.(callOf());
    expect(await Promise.all(both)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    // Nobody listens now, so what it says is for nobody.
    await channel.read?.(callOf());
    expect(await take(channel.subscribe?.(callOf()), 2)).toEqual([1, 2]);
  });

  test('fails when it ends, and starts it again for the next', async () => {
    const channel = channelOf(`say({ event: 1 }); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20);`);
    for (let times = 0; times < 2; times++) {
      await expect(take(channel.subscribe?.(callOf()), 2)).rejects.toEqual(
        failure('failed', 'the program exited on the signal SIGKILL'),
      );
    }
  });

  test('reads only as fast as the slowest subscriber', async () => {
    const said = join(scratchFolder(), 'said');
    const channel = channelOf(
      `import('node:fs').then(({ writeFileSync }) => {
        let n = 0;
        const more = () => {
          while (write(JSON.stringify({ event: { n: ++n, pad: 'x'.repeat(1000) } }) + '\\n'));
          writeFileSync(${JSON.stringify(said)}, String(n));
        };
        process.stdout.on('drain', more);
        more();
      });`,
      { buffer: 5 },
    );
    const iterator = (await recordsOf(channel))[Symbol.asyncIterator]();
    const next = async () => ((await iterator.next()).value as { n: number }).n;
    const count = () => {
      try {
        return Number(readFileSync(said, 'utf8'));
      } catch {
        return 0;
      }
    };
    expect(await next()).toBe(1);
    // It says as much as the pipe and the buffers hold, and then it stands still.
    let before = -1;
    await until(() => {
      const now = count();
      const isStill = now > 0 && now === before;
      before = now;
      return isStill;
    });
    expect(count()).toBeLessThan(2_000);
    for (let n = 2; n < 3_000; n++) expect(await next()).toBe(n);
    await iterator.return?.();
  });
});

describe('a program behind a topology', () => {
  const source = `
    (near)-[:PROCESS { id: ID! }]->(item: Record { id: ID! })
    (form { id: ID! })-[:FOLD]->(saved: Record { id: ID! })
    (near)-[:FORK]->(noticed: Event { n: Int! })
  `;

  test('serves queries, mutations and events; the server survives when it is killed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const program = `
      if (op === 'subscribe') say({ event: { n: 1 } });
      else if (args?.id === 'die') process.kill(process.pid, 'SIGKILL');
      else say({ id, value: record ?? { id: args.id } });`;
    const server = serveIo(source, [
      channelOf(program, { direction: 'in' }),
      { ...channelOf(program, { direction: 'out' }), node: 'saved' },
    ]);
    expect((await ask(server, '/api/item?id=5')).body).toEqual({ id: '5' });
    expect((await post(server, '/api/saved', { input: { id: '6' } })).body).toEqual({ id: '6' });
    const events = await subscribe(server, 'subscription { noticed { n } }');
    expect(await events.next()).toEqual({ data: { noticed: { n: 1 } } });
    const detail = 'The channel of the node near (process) failed: the program exited on the signal SIGKILL.';
    expect(await ask(server, '/api/item?id=die')).toMatchObject({
      status: 502,
      body: { code: 'GG5011', node: 'near', detail },
    });
    expect((await events.next()).errors).toEqual([
      { message: detail, extensions: { code: 'GG5011', node: 'near', transport: 'process' } },
    ]);
    expect(await events.next()).toBeUndefined();
    expect((await ask(server, '/api/item?id=5')).body).toEqual({ id: '5' });
  });
});
