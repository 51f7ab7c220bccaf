import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textReporter } from '../../src/base/diagnostics/render/text.js';
import { compile } from '../../src/compiler/compile.js';
import { createGqlServer } from '../../src/runtime/server/service.js';
import { commands } from '../../src/tools/cli/commands/registry.js';
import { loadResolvers } from './load-resolvers.js';
import { type CodeBlock, codeBlocks } from './markdown.js';

const readme = readFileSync('README.md', 'utf8');
const blocks = codeBlocks(readme);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

function block(language: string, info = ''): CodeBlock {
  const found = blocks.find((candidate) => candidate.language === language && candidate.info === info);
  if (found === undefined) throw new Error(`the README has no ${language} block`);
  return found;
}

/** The questions with `curl`, and the answers that the README promises. */
const questions = blocks
  .filter(({ language, text }) => language === 'console' && text.startsWith('$ curl '))
  .map(({ text }) => {
    const [command = '', ...answer] = text.split('\n');
    const [, url = ''] = /curl '([^']*)'/.exec(command) ?? [];
    const [, body] = / -d '([^']*)'/.exec(command) ?? [];
    const header = / -H '([^:']*): ([^']*)'/.exec(command);
    return { command, url, body, header, answer: answer.join('\n') };
  });

describe('the README', () => {
  const first = compile(block('gg').text);

  it('begins with a topology that gives the schema below it', () => {
    if (!first.ok) throw new Error('the topology has errors');
    for (const definition of block('graphql').text.split('\n\n')) {
      expect(first.artifacts['schema.graphql']).toContain(definition);
    }
  });

  it('names the REST routes of that topology', () => {
    if (!first.ok) throw new Error('the topology has errors');
    const document = JSON.parse(first.artifacts['openapi.json']) as { paths: Record<string, object> };
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      ['get', 'post'].filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes).toEqual(['GET /api/readUser', 'POST /api/saveUser']);
    for (const route of routes) expect(readme).toContain(`\`${route}\``);
  });

  it('shows the actual answers of the demo', async () => {
    const resolvers = await loadResolvers('docs/examples/service.resolvers.mjs');
    const server = createGqlServer({ topologies: ['docs/examples/service.gg'], resolvers });
    expect(questions.length).toBeGreaterThan(3);
    for (const { url, body, header, answer } of questions) {
      const init =
        body === undefined ? {} : { method: 'POST', body, headers: { [header?.[1] ?? '']: header?.[2] ?? '' } };
      const response = await server.fetch(new Request(url, init));
      expect(await response.text()).toBe(answer);
    }
  });

  it('shows the actual report of a mistake', () => {
    const { diagnostics, sources } = compile({
      name: 'users.gg',
      source: `${block('gg', 'mistake').text}\n`,
    });
    const options = { color: false, toolVersion: '', helpPage: () => undefined };
    expect(textReporter.render({ diagnostics, sources }, options).trimEnd()).toBe(block('text').text);
  });

  it('names only existing scripts and commands', () => {
    // The second command of the page runs the script of a new project.
    const named = [...readme.matchAll(/npm run (?!dev$)(\w+)/gm)].map(([, name]) => name ?? '');
    expect(named).toContain('demo');
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    expect(scripts).toHaveProperty('test');

    const known = commands.map(({ usage }) => usage.split(' ')[0]);
    const used = [...readme.matchAll(/gg-svc (build|check|serve|explain|\w+) /g)].map(([, name]) => name ?? '');
    expect(new Set(used)).toEqual(new Set(known));
  });

  it('describes a demo that builds and serves the shipped example', () => {
    expect(scripts.demo).toMatch(/ build docs\/examples\/service\.gg -o out\b.*&&.* serve docs\/examples\/service\.gg/);
  });
});
