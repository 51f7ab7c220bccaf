import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, program } from '../../tools/cli/build-program.js';
import { directoryWith } from '../../tools/cli/stand-in-io.js';
import { eras, textOf } from './connect.js';

beforeAll(buildProgram);

const source = `
  (shop)-[:PROCESS { operation: 'test_simple_text' }]->(simple { text: 'This is a simple text response for testing.' })
  (shop)-[:PROCESS { operation: 'test_error_handling' }]->(failing { text: String! })
  (simple)-[:FORK]->(simple_changed: Event { text: String! })
`;
const resolvers = `
  console.log('a resolvers module prints this');
  export default { Query: { test_error_handling: () => { throw new Error('This tool intentionally returns an error for testing'); } } };
`;

describe.each(eras)('gg-svc mcp, started by a client of MCP %s', (era) => {
  test('writes only messages to standard output, and answers calls', async () => {
    const directory = directoryWith({ 'a.gg': source, 'a.resolvers.mjs': resolvers });
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    const faults: Error[] = [];
    client.onerror = (error) => faults.push(error);
    const args = [program, 'mcp', join(directory, 'a.gg'), '--no-federation'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const result = await client.callTool({ name: 'read', arguments: { test_simple_text: {} } });
    expect(textOf(result)).toContain('This is a simple text response');
    expect((await client.callTool({ name: 'read', arguments: { test_error_handling: {} } })).isError).toBe(true);
    expect(faults).toEqual([]);
    await client.close();
  });
});

/** What a server would need for a scenario that does not apply. */
const needs = {
  prompts: 'prompts: topologies do not have any',
  sampling: 'sampling: no operation asks the model of the client',
  elicitation: 'elicitation: no operation asks the user of the client',
  sessions: 'sessions over HTTP: the server does not keep any',
  logging: 'log messages to clients: logs go to the operator',
  progress: 'progress of one operation: resolvers do not report it',
  content: 'results that are not JSON: images, audio, embedded resources',
  resources: 'its own resources at test://: resources are the FORKs, at gg://events/',
  names: 'a definition named “address”: types of a topology begin with a capital letter',
};

/** The server scenarios of the conformance package: whether they pass, or why they do not apply. */
const judged: Readonly<Record<string, 'passes' | keyof typeof needs>> = {
  'server-initialize': 'passes',
  ping: 'passes',
  'tools-list': 'passes',
  'tools-call-simple-text': 'passes',
  'tools-call-error': 'passes',
  'resources-list': 'passes',
  'dns-rebinding-protection': 'passes',
  'completion-complete': 'prompts',
  'prompts-list': 'prompts',
  'prompts-get-simple': 'prompts',
  'prompts-get-with-args': 'prompts',
  'prompts-get-embedded-resource': 'prompts',
  'prompts-get-with-image': 'prompts',
  'tools-call-sampling': 'sampling',
  'tools-call-elicitation': 'elicitation',
  'elicitation-sep1034-defaults': 'elicitation',
  'elicitation-sep1330-enums': 'elicitation',
  'server-sse-polling': 'sessions',
  'server-sse-multiple-streams': 'sessions',
  'resources-subscribe': 'sessions',
  'resources-unsubscribe': 'sessions',
  'logging-set-level': 'logging',
  'tools-call-with-logging': 'logging',
  'tools-call-with-progress': 'progress',
  'tools-call-image': 'content',
  'tools-call-audio': 'content',
  'tools-call-embedded-resource': 'content',
  'tools-call-mixed-content': 'content',
  'resources-read-text': 'resources',
  'resources-read-binary': 'resources',
  'resources-templates-read': 'resources',
  'json-schema-2020-12': 'names',
};

// The conformance package needs Node 22.
describe.runIf(Number(process.versions.node.split('.')[0]) >= 22)('the conformance package', () => {
  let server: ChildProcess;
  let origin = '';
  beforeAll(async () => {
    const files = {
      'a.gg': source,
      'a.resolvers.mjs': resolvers,
      'gg-svc.config.json': JSON.stringify({ server: { mcp: { tools: 'operations' } } }),
    };
    server = spawn(process.execPath, [program, 'serve', 'a.gg', '--port', '0'], {
      cwd: directoryWith(files),
    });
    let printed = '';
    origin = await new Promise<string>((resolve) => {
      server.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const [, url] = /MCP\s+(\S+)\/mcp/.exec(printed) ?? [];
        if (url !== undefined) resolve(url);
      });
    });
  });
  afterAll(() => {
    server.kill();
  });

  const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  const run = (...args: readonly string[]): string =>
    spawnSync(process.execPath, [join(entry, '../dist/index.js'), ...args], {
      encoding: 'utf8',
      cwd: directoryWith({}),
    }).stdout;

  test('has the scenarios of these tests and the documentation', () => {
    const listed = [...run('list', '--server').matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.keys(judged).sort());
    const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    for (const [scenario, judgement] of Object.entries(judged)) {
      const row = rows.find((line) => line.includes(`\`${scenario}\``));
      expect(row, scenario).toContain(judgement === 'passes' ? '| pass |' : `| ${needs[judgement]} |`);
    }
  });

  test('passes exactly the scenarios that apply', () => {
    const printed = run('server', '--url', `${origin}/mcp`, '--suite', 'all');
    const results = [...printed.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)];
    // A scenario that checks nothing has not passed.
    const passed = results.filter(([, , passes, failures]) => Number(passes) > 0 && failures === '0');
    const expected = Object.keys(judged).filter((name) => judged[name] === 'passes');
    expect(passed.map(([, name]) => name).sort(), printed).toEqual(expected.sort());
    expect(results).toHaveLength(Object.keys(judged).length);
  });
});
