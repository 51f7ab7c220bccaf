import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.js';
import { buildProgram } from '../tools/cli/build-program.js';
import { directoryWith } from '../tools/cli/stand-in-io.js';
import { type Deployed, fileOf, start } from './deployed.js';
import { asPattern, link, stepsOf } from './typed-steps.js';

// The bookstore of the tutorial in production, typed as the page on deployment prints it.

const page = readFileSync('docs/deployment.md', 'utf8');
const section = page.split(/^(?=## )/m).find((part) => part.startsWith('## A bookstore in production\n')) ?? '';
const firstLine = page.slice(0, page.indexOf(section)).split('\n').length - 1;

let folder = '';
/** By each port of the page, the one of this machine that takes its place. */
let ports: Readonly<Record<string, number>> = {};
/** The programs that run in other terminals, each with what it is to print. */
const terminals: { readonly deployed: Deployed; readonly pattern: RegExp | undefined }[] = [];

const replaced = (text: string): string => text.replace(/\b\d{4,5}\b/g, (printed) => String(ports[printed] ?? printed));

beforeAll(async () => {
  buildProgram();
  const tutorial = ['books.gg', 'authors.gg', 'books.resolvers.mjs'];
  folder = directoryWith({
    'package.json': '{ "type": "module" }\n',
    ...Object.fromEntries(tutorial.map((name) => [name, fileOf('docs/tutorial.md', name)])),
  });
  link(folder, 'gg-svc', resolve('.'));
  link(folder, '.bin/gg-svc', resolve('dist/tools/cli/gg-svc.js'));
  for (const name of ['graphql', 'graphql-yoga']) link(folder, name, resolve('node_modules', name));
  const [one, two, redis] = [await freePort(), await freePort(), await freePort()];
  ports = { 4001: one, 4002: two, 14001: 10_000 + one, 14002: 10_000 + two, 6379: redis };
});

describe('the bookstore in production', () => {
  it.each(stepsOf(section).map((step) => ({ ...step, line: step.line + firstLine })))(
    'line $line: $title',
    async (step) => {
      const text = replaced(step.text);
      if ('file' in step) return writeFileSync(join(folder, step.file), `${text}\n`);
      const install = /^npm install (.*)$/.exec(text)?.[1];
      if (install !== undefined) {
        for (const name of install.split(' ')) link(folder, name, resolve('node_modules', name));
        return;
      }
      const sign = /^redis-server/.test(text)
        ? 'Ready to accept connections'
        : /gg-svc serve/.test(text)
          ? 'Ctrl+C'
          : // The first bytes of the stream say that the subscription has begun.
            /curl -sN/.test(text)
            ? ':'
            : undefined;
      if (sign === undefined) {
        const printed = execFileSync('sh', ['-c', text], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
        expect(printed.trimEnd()).toMatch(asPattern(replaced(step.output)));
      } else {
        const deployed = start('sh', ['-c', `exec ${text}`.replace(/^exec ((?:\w+=\S+ )+)/, '$1exec ')], folder);
        await expect.poll(deployed.said).toContain(sign);
        terminals.push({
          deployed,
          pattern: step.output === '' ? undefined : asPattern(replaced(step.output)),
        });
      }
      return;
    },
  );

  it('the other terminals show the output on the page', async () => {
    expect(terminals.length).toBe(4);
    for (const { deployed, pattern } of terminals)
      if (pattern !== undefined) await expect.poll(deployed.said).toMatch(pattern);
  });
});
