import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Credentials } from '../../../src/runtime/auth/principal.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import { preparePrograms, start } from '../../runtime/server/channels/programs.js';
import { type Documents, documentsOf, resolversOf, runAll, sourcesOf, whileServed } from './served-example.js';

const cli = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** Runs all workflows by Redocly's `respect`; gives the names of those that failed. */
async function respect({ arazzo, openapi }: Documents, origin: string, ...more: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-respect-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi));
    writeFileSync(join(folder, 'workflows.arazzo.json'), JSON.stringify(arazzo));
    const args = ['respect', 'workflows.arazzo.json', '--server', `api=${origin}`, '--json-output', 'report.json'];
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      NO_COLOR: '1',
    };
    let said = '';
    const child = spawn(process.execPath, [cli, ...args, ...more], { cwd: folder, env });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const code = await new Promise((done) => child.on('exit', done));
    const failed = [
      ...said.matchAll(/Running workflow \S+ \/ (\w+)([\s\S]*?)(?=Running workflow|Summary for|Failed tests info)/g),
    ]
      .filter(([, , steps]) => steps?.includes('✗'))
      .map(([, name]) => String(name));
    const [, total] = /Workflows: .*?(\d+) total/.exec(said) ?? [];
    expect([Number(total), code === 0], said).toEqual([arazzo.workflows.length, failed.length === 0]);
    return failed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function failedOf(results: Awaited<ReturnType<typeof runAll>>): unknown[] {
  return results.filter(({ passed }) => !passed).map(({ workflow, steps }) => [workflow, steps]);
}

const examples = [
  'docs/examples/service.gg',
  'docs/examples/project/service.gg',
  'docs/examples/bookstore/shop.gg',
  'docs/examples/parcel/main.gg',
];

describe('the workflows of the shipped examples', () => {
  test.each(examples)('%s pass against their server, with respect and with gg-svc test', async (file) => {
    const sources = sourcesOf(file);
    const documents = documentsOf(sources) as Documents;
    const serve = async () => ({ topologies: sources as never, resolvers: await resolversOf(file) });
    expect(await whileServed(await serve(), (origin) => respect(documents, origin))).toEqual([]);
    expect(failedOf(await whileServed(await serve(), (origin) => runAll(documents, origin)))).toEqual([]);
  });

  test('docs/examples/orders pass over its channels, with respect and with gg-svc test', async () => {
    const programs = await preparePrograms();
    try {
      const folder = join(programs.folder, 'example');
      mkdirSync(folder);
      const exports = { '.': './gg-svc.js', './channels': './channels.js' };
      writeFileSync(join(programs.folder, 'package.json'), JSON.stringify({ name: 'gg-svc', type: 'module', exports }));
      cpSync('docs/examples/orders', folder, { recursive: true });
      const running = start([join(folder, 'serve.mjs'), '0']);
      while (!running.lines.includes('Ctrl-C ends it.')) await running.said(running.lines.length + 1);
      const origin = /The API +(\S+)/.exec(running.lines.join('\n'))?.[1] ?? '';
      const source = readFileSync('docs/examples/orders/orders.gg', 'utf8');
      const documents = documentsOf([{ name: 'orders.gg', source }]) as Documents;
      expect(await respect(documents, origin)).toEqual([]);
      expect(failedOf(await runAll(documents, origin))).toEqual([]);
      running.child.kill('SIGTERM');
      await running.ended;
    } finally {
      programs.remove();
    }
  });

  test('fail in the same places with both, if the server is wrong', async () => {
    const file = 'docs/examples/parcel/main.gg';
    const sources = sourcesOf(file);
    const documents = documentsOf(sources) as Documents;
    const wrong = async (): Promise<Resolvers> => {
      const { Query, Mutation, ...others } = (await resolversOf(file)) as Record<string, Record<string, unknown>>;
      const query = {
        ...Query,
        shipment: () => ({ id: 'other' }),
        depot: () => null,
        listClaims: () => [{ id: '1' }],
      };
      return {
        ...others,
        Query: query,
        Mutation: {
          ...Mutation,
          payInvoice: () => {
            throw new Error('no');
          },
        },
      } as never;
    };
    const serve = async () => ({
      topologies: sources as never,
      resolvers: await wrong(),
      onError: () => undefined,
    });
    const byRespect = await whileServed(await serve(), (origin) => respect(documents, origin));
    const byOurs = await whileServed(await serve(), (origin) => runAll(documents, origin));
    expect(byRespect).toEqual(byOurs.filter(({ passed }) => !passed).map(({ workflow }) => workflow));
    expect(byRespect).toEqual(['payInvoice', 'shipment', 'depot', 'listClaims']);
  });

  test('send credentials and idempotency keys, where operations and events require them', async () => {
    const source = `
      (note { id: ID!, text: String! })
      (new_note: Input { text: String! })-[:FOLD { operation: 'addNote', returns: Note!, auth: 'required', idempotent: 'required' }]->(note)
      (root)-[:PROCESS { id: ID!, auth: 'required' }]->(note)
      (note)-[:FORK { auth: 'required' }]->(note_added: Event { id: ID! })
    `;
    const sources = [{ name: 'notes.gg', source }];
    const documents = documentsOf(sources) as Documents;
    const server = {
      topologies: sources,
      resolvers: {
        Query: { note: (_: unknown, { id }: { id: string }) => ({ id, text: 'text' }) },
        Mutation: { addNote: (_: unknown, { input }: { input: object }) => ({ id: '7', ...input }) },
      },
      authenticate: ({ header }: Credentials) => (header('authorization') === 'Bearer secret' ? { id: 'ada' } : null),
    } as never;
    expect(
      await whileServed(server, (origin) =>
        respect(documents, origin, '--input', 'token=secret', '--input', 'idempotencyKey=a'),
      ),
    ).toEqual([]);
    expect(failedOf(await whileServed(server, (origin) => runAll(documents, origin, { token: 'secret' })))).toEqual([]);
    const refused = await whileServed(server, (origin) => runAll(documents, origin, { token: 'wrong' }));
    expect(refused.map(({ passed }) => passed)).toEqual([false]);
  });
});
