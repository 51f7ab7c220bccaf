import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, program } from '../cli/build-program.js';
import { directoryWith } from '../cli/stand-in-io.js';
import { eras, textOf } from './connect.js';

beforeAll(buildProgram, 120_000);

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
  test('has messages only on standard output, and answers calls', async () => {
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
    expect((await client.callTool({ name: 'read', arguments: { test_error_handling: {} } })).isError).toBe(
      true,
    );
    expect(faults).toEqual([]);
    await client.close();
  });
});

/**
 * The scenarios of the conformance package that apply. The others need what the server does not have: prompts,
 * completions, logging, sampling, elicitation, progress, images, audio and resources with given contents; and
 * `resources/subscribe` over HTTP, which needs sessions.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'server-sse-multiple-streams',
  'resources-list',
  'dns-rebinding-protection',
];

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

  test.each(scenarios)('passes %s', (scenario) => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(entry, '../dist/index.js'), 'server', '--url', `${origin}/mcp`, '--scenario', scenario],
      { encoding: 'utf8', timeout: 60_000, cwd: directoryWith({}) },
    );
    expect(stdout).not.toContain('FAILURE');
    expect(status, stdout).toBe(0);
  });
});
