import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyzeTopologies } from '../../../src/runtime/load/analyze-topologies.js';
import type { ImportOptions } from '../../../src/runtime/load/import-reach.js';
import { createTopologyLoader, diskFiles } from '../../../src/runtime/load/load-topologies.js';
import { loadConfig } from '../../../src/runtime/server/load-config.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';

let base: string;
let project: string;
let server: Server;
let origin: string;
const asked: string[] = [];

/** Everything that must not be read has this word. */
const secret = '(secret { word: String! })';

beforeAll(async () => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'gg-svc-reach-'));
  project = join(base, 'project');
  const files: Record<string, string> = {
    'project/package.json': '{}',
    'project/common.gg': '(common { x: 1 })',
    'project/api/user.gg': '(user { x: 1 })',
    'shared/money.gg': '(money { x: 1 })',
    'shared/deep/tax.gg': '(tax { x: 1 })',
    'shared-too/secret.gg': secret,
    'secret.gg': secret,
    'loose/api/main.gg': "import '../secret.gg'\n(root)-[:PROCESS]->(a { x: Int! })",
    'loose/secret.gg': secret,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  symlinkSync(join(base, 'secret.gg'), join(project, 'link.gg'));
  symlinkSync(base, join(project, 'up'));
  symlinkSync(join(project, 'api'), join(project, 'inner'));
  symlinkSync(project, join(base, 'alias'));
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    const target = /^\/to\?(.*)$/.exec(request.url ?? '')?.[1];
    if (target !== undefined) response.writeHead(302, { location: decodeURIComponent(target) }).end();
    else response.end(request.url?.startsWith('/part') ? '(part { x: 1 })' : secret);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(base, { recursive: true });
});

/** What a topology of the project gets that has one import: `read`, or the findings. */
async function importing(
  specifier: string,
  {
    name = 'api/main.gg',
    directory = project,
    imports = {},
  }: Readonly<{ name?: string; directory?: string; imports?: ImportOptions }> = {},
): Promise<string> {
  const source = `import '${specifier}'\n(root)-[:PROCESS]->(a { x: Int! })`;
  const loader = createTopologyLoader(diskFiles(directory), imports);
  const { diagnostics, sources } = await analyzeTopologies([{ name, source }], loader);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ span }) => span)).toEqual(
    errors.map(() => ({ file: name, start: 7, end: specifier.length + 9 })),
  );
  if (sources.some(({ text }) => text === secret)) return 'the secret';
  return errors.map(({ code }) => code).join() || `${sources.length - 1} read`;
}

describe('the import of a file', () => {
  test.each(['./user.gg', '../common.gg', '../api/../api/user.gg', '..\\common.gg', '../inner/user.gg'])(
    'is read inside the project: %s',
    async (specifier) => {
      expect(await importing(specifier)).toBe('1 read');
    },
  );

  test.each([
    '../../secret.gg',
    '..\\..\\secret.gg',
    '../../../../../../../../etc/passwd',
    '/etc/passwd',
    '\\etc\\passwd',
    '//localhost/etc/passwd',
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'file://localhost/etc/passwd',
    'ftp://localhost/secret.gg',
    '../link.gg',
    '../up/secret.gg',
    '../up/missing.gg',
    '../../missing.gg',
    '../../project-too/secret.gg',
    '/proc/self/environ',
  ])('is rejected outside: %s', async (specifier) => {
    expect(await importing(specifier)).toBe('GG4010');
  });

  test.each([
    '%2e%2e/%2e%2e/secret.gg',
    '..%2f..%2fsecret.gg',
    'C:\\Windows\\win.ini',
    'C:/Windows/win.ini',
    '\0/secret.gg',
  ])('is treated literally: %j does not leave the project', async (specifier) => {
    expect(await importing(specifier)).toMatch(/^GG(?:2001|4002)$/);
  });

  test('is rejected by its absolute path, and by that of a link', async () => {
    expect(await importing(join(base, 'secret.gg'))).toBe('GG4010');
    expect(await importing(pathToFileURL(join(project, 'common.gg')).href)).toBe('GG4010');
    expect(await importing(join(project, 'common.gg'))).toBe('1 read');
    expect(await importing('../common.gg', { name: join(base, 'alias/api/main.gg') })).toBe('1 read');
  });

  test('is read from paths that the project file allows, and not from their neighbours', async () => {
    const imports = { files: [join(base, 'shared')] };
    expect(await importing('../../shared/money.gg', { imports })).toBe('1 read');
    expect(await importing('../../shared/deep/tax.gg', { imports })).toBe('1 read');
    expect(await importing('../../shared/../secret.gg', { imports })).toBe('GG4010');
    expect(await importing('../../shared-too/secret.gg', { imports })).toBe('GG4010');
    expect(await importing('../../shared/money.gg', { imports: { files: ['../shared/money.gg'] } })).toBe('1 read');
    expect(await importing('../../shared/deep/tax.gg', { imports: { files: ['../shared/money.gg'] } })).toBe('GG4010');
  });

  test('is limited to the folder of the file and an enclosing working directory without a project', async () => {
    const named = { name: 'loose/api/main.gg' };
    expect(await importing('../secret.gg', { ...named, directory: base })).toBe('the secret');
    expect(await importing('../secret.gg', { name: join(base, named.name), directory: project })).toBe('GG4010');
    expect(await importing('../../../secret.gg', { ...named, directory: base })).toBe('GG4010');
  });

  test('is rejected in imported files, too', async () => {
    const source = "import '../secret.gg'\n(b { x: 1 })";
    writeFileSync(join(base, 'shared/bad.gg'), source);
    expect(await analyzed('../../shared/bad.gg', { files: [join(base, 'shared')] })).toEqual(['GG4010']);
  });

  test('is rejected by a server, unless its options or the project file allow it', async () => {
    const source = "import '../shared/money.gg'\n(root)-[:PROCESS]->(a { x: Int! })";
    writeFileSync(join(project, 'shop.gg'), source);
    const topologies = [join(project, 'shop.gg')];
    expect(() => createGqlServer({ topologies })).toThrow('GG4010');
    expect(createGqlServer({ topologies, imports: { files: [join(base, 'shared')] } }).sources).toHaveLength(2);
    const config = { sources: ['shop.gg'], imports: { files: ['../shared'] } };
    writeFileSync(join(project, 'gg-svc.config.json'), JSON.stringify(config));
    const loaded = await loadConfig({ directory: join(project, 'api') });
    expect(createGqlServer(loaded?.serverOptions as never).sources).toHaveLength(2);
    rmSync(join(project, 'gg-svc.config.json'));
  });
});

describe('the import of a URL', () => {
  test('is rejected without a request, unless the project allows it', async () => {
    asked.length = 0;
    expect(await importing(`${origin}/part.gg`)).toBe('GG4010');
    expect(await importing(`${origin}/part.gg`, { imports: { urls: [`${origin}/other/`] } })).toBe('GG4010');
    expect(await importing(`${origin}/parts.gg`, { imports: { urls: [`${origin}/part`] } })).toBe('GG4010');
    expect(asked).toEqual([]);
    for (const url of [origin, `${origin}/`, `${origin}/part.gg`])
      expect(await importing(`${origin}/part.gg`, { imports: { urls: [url] } })).toBe('1 read');
    expect(await importing(`${origin}/part/x.gg`, { imports: { urls: [`${origin}/part`] } })).toBe('1 read');
  });

  test.each([
    '../secret.gg',
    '%2e%2e/secret.gg',
    '..%2fsecret.gg',
    '..%5Csecret.gg',
    '..\\\\secret.gg',
    'x/%2E%2E/%2e%2e/secret.gg',
  ])('does not leave the folder that is allowed: part/%s', async (path) => {
    expect(await importing(`${origin}/part/${path}`, { imports: { urls: [`${origin}/part/`] } })).toBe('GG4010');
  });

  test('follows redirects only to URLs that are allowed', async () => {
    const imports = { urls: [`${origin}/to`, `${origin}/part`] };
    const to = (url: string) => `${origin}/to?${encodeURIComponent(url)}`;
    const other = origin.replace('127.0.0.1', 'localhost');
    for (const target of ['/part/a.gg', `${origin}/part`, to('/part/b.gg')])
      expect([target, await importing(to(target), { imports })]).toEqual([target, '1 read']);
    const wrong = [
      '/secret.gg',
      `${other}/part`,
      to('/secret.gg'),
      '//localhost:1/part',
      'file:///etc/passwd',
      'c:/part',
    ];
    for (const target of wrong) expect([target, await importing(to(target), { imports })]).toEqual([target, 'GG4007']);
    asked.length = 0;
    const named = to(`${other}/secret.gg`);
    const { diagnostics } = await analyzeTopologies([named], createTopologyLoader(diskFiles(project)));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `${named} cannot be fetched: it redirects to ${other}/secret.gg, which the project does not allow.`,
    ]);
    expect(asked).toHaveLength(1);
    const allowed = createTopologyLoader(diskFiles(project), { urls: [other] });
    expect((await analyzeTopologies([named], allowed)).sources[0]?.text).toBe(secret);
  });

  test.each(['/etc/passwd', 'file:///etc/passwd', 'c:/part.gg', 'C:\\part.gg', 'data:,part'])(
    'never reaches files of this machine: %s',
    async (specifier) => {
      mkdirSync(join(project, 'c:'), { recursive: true });
      writeFileSync(join(project, 'c:/part.gg'), secret);
      const name = `${origin}/main.gg`;
      const imports = { files: ['/'] };
      expect(await importing(specifier, { name, imports })).not.toMatch(/^\d read/);
    },
  );

  test('in a topology from a URL may be of the same host', async () => {
    expect(await importing('./part.gg', { name: `${origin}/main.gg` })).toBe('1 read');
    expect(await importing('https://example.invalid/part.gg', { name: `${origin}/main.gg` })).toBe('GG4010');
  });
});

/** The codes of the findings of a topology of the project that imports a file. */
async function analyzed(specifier: string, imports: ImportOptions): Promise<readonly string[]> {
  const source = `import '${specifier}'\n(root)-[:PROCESS]->(a { x: Int! })`;
  const loader = createTopologyLoader(diskFiles(project), imports);
  const { diagnostics } = await analyzeTopologies([{ name: 'api/main.gg', source }], loader);
  return diagnostics.map(({ code }) => code);
}
