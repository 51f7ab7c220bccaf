import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;

// Node has to run what it would run for a user, so the sources are bundled, and packages left outside.
beforeAll(async () => {
  folder = programFolder('loading');
  await bundlePrograms(['src/runtime/server/service.ts'], folder);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a program with `createGqlServer` in scope; gives the packages that are loaded at its end. */
function packagesAfter(program: string): string[] {
  const service = pathToFileURL(join(folder, 'service.mjs')).href;
  const output = execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createRequire } from 'node:module';
       import { createGqlServer } from ${JSON.stringify(service)};
       const topologies = [{ name: 'a.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }];
       ${program}
       const files = Object.keys(createRequire(import.meta.url).cache);
       const names = files.map((file) => /node_modules\\/(?!\\.gg)((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
       console.log(JSON.stringify([...new Set(names)]));`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

describe('loading', () => {
  test('a server that only exports documents loads neither graphql nor an engine', () => {
    const packages = packagesAfter(`
      const server = createGqlServer({ topologies });
      server.exportGraphQL();
      await server.fetch(new Request('http://x/openapi.json'));
      await server.fetch(new Request('http://x/'));
    `);
    expect(packages).not.toContain('graphql');
    expect(packages).not.toContain('graphql-yoga');
  });

  test('an operation and a REST request load graphql, but no engine', () => {
    const packages = packagesAfter(`
      const server = createGqlServer({ topologies });
      const { data } = await server.executeOperation({ query: '{ hello { text } }' });
      if (data.hello.text !== 'Hello') throw new Error('wrong');
      await server.fetch(new Request('http://x/api/hello'));
    `);
    expect(packages).toContain('graphql');
    expect(packages).not.toContain('graphql-yoga');
  });

  test('the first GraphQL request loads the engine, with the same graphql', () => {
    const packages = packagesAfter(`
      const server = createGqlServer({ topologies });
      const response = await server.fetch(new Request('http://x/graphql?query={hello{text}}'));
      const { data } = await response.json();
      if (data.hello.text !== 'Hello') throw new Error('wrong');
    `);
    expect(packages).toContain('graphql');
  });
});
