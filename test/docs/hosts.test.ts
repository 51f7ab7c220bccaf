import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../free-port.js';
import { copyPackage } from '../programs/bundle.mjs';
import { codeBlocks } from './markdown.js';

/** The examples of the README that put a server on a host: those that listen. */
const examples = codeBlocks(readFileSync('README.md', 'utf8')).filter(
  ({ language, text }) => language === 'ts' && text.includes('listen('),
);

let folder: string;
const children: ChildProcess[] = [];

// Node has to run what it would run for a user: the sources translated, and packages where they are installed.
beforeAll(() => {
  folder = copyPackage();
});

afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('the README shows five hosts, each in at most ten lines', () => {
  expect(examples.map(({ info }) => info)).toEqual(['express', 'fastify', 'standalone', 'node', 'yoga-express']);
  for (const { text } of examples) expect(text.trim().split('\n').length).toBeLessThanOrEqual(10);
});

test.concurrent.each(examples.map(({ info, text }) => [info, text]))(
  '%s: the example runs unchanged',
  async (info, text) => {
    const port = await freePort();
    const root = JSON.stringify(pathToFileURL(join(folder, 'dist/index.js')).href);
    const file = join(folder, `${info}.mjs`);
    writeFileSync(file, text.replace("'gg-svc'", root).replace('4000', String(port)));
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    const origin = `http://127.0.0.1:${port}`;
    await answering(child, origin);

    expect(await (await fetch(`${origin}/api/hello`)).json()).toEqual({ text: 'Hello' });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: '{ hello { text } }' });
    const answer = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
    expect(await answer.json()).toEqual({ data: { hello: { text: 'Hello' } } });
    expect((await fetch(`${origin}/openapi.json`)).status).toBe(200);
  },
);

/** Waits until something listens. A program that ends before says why on standard error. */
async function answering(child: ChildProcess, origin: string): Promise<void> {
  let problem = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    problem += chunk.toString();
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(problem);
    try {
      await fetch(`${origin}/health/live`);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
