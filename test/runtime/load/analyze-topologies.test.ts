import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Analysis } from '../../../src/compiler/analyze.js';
import { analyzeTopologies } from '../../../src/runtime/load/analyze-topologies.js';
import { createTopologyLoader, diskFiles, type TopologyInput } from '../../../src/runtime/load/load-topologies.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { ask } from '../server/topology-server.js';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gg-svc-load-'));
  mkdirSync(join(directory, 'parts'));
  const files: Record<string, string | Uint8Array> = {
    'main.gg': "import './parts/user.gg'\n(root)-[:PROCESS]->(user)",
    'parts/user.gg': "(user { name: 'Ada' })",
    'parts/team.gg': "(team { name: 'One' })",
    'parts/notes.txt': 'not a topology',
    'a[1].gg': '(bracket { x: 1 })',
    'bom.gg': Buffer.from('\ufeff(bom { x: 1 })'),
    'latin.gg': Buffer.concat([Buffer.from("(a { x: '\ufffd "), Buffer.from([0xe9]), Buffer.from("' })")]),
    'cut.gg': Buffer.from([0x28, 0x61, 0x29, 0xc3]),
    'empty.gg': '',
    'imports-latin.gg': "import './latin.gg'\n(a)",
    'imports-nothing.gg': "import './nothing.gg'\n(a)",
    'imports-folder.gg': "import './parts'\n(a)",
    'huge.gg': '(a)',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  truncateSync(join(directory, 'huge.gg'), 64 * 1024 * 1024 + 1);
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

function read(...inputs: TopologyInput[]): Analysis {
  const analysis = analyzeTopologies(inputs, createTopologyLoader(diskFiles(directory)));
  if (analysis instanceof Promise) throw new Error('it should not have to wait');
  return analysis;
}

const namesOf = ({ sources }: Analysis) => sources.map(({ name }) => name);
const findingsOf = ({ diagnostics }: Analysis) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`);

describe('files', () => {
  test('are read, and their imports with them', () => {
    const analysis = read('main.gg');
    expect(namesOf(analysis)).toEqual(['main.gg', 'parts/user.gg']);
    expect(findingsOf(analysis)).toEqual([]);
    expect(analysis.schema.queries.map(({ name }) => name)).toEqual(['user']);
  });

  test('are read once in any spelling', () => {
    expect(
      namesOf(read('./main.gg', 'main.gg', 'parts/../main.gg', './parts/user.gg', join(directory, 'main.gg'))),
    ).toEqual(['main.gg', 'parts/user.gg']);
  });

  test('may be named by patterns, and are sorted by name', () => {
    expect(namesOf(read('parts/*.gg'))).toEqual(['parts/team.gg', 'parts/user.gg']);
    expect(namesOf(read('**/{team,bom}.gg'))).toEqual(['bom.gg', 'parts/team.gg']);
  });

  test('may have names that look like patterns', () => {
    expect(namesOf(read('a[1].gg'))).toEqual(['a[1].gg']);
  });

  test('may be given as file URLs and as texts', () => {
    const path = join(directory, 'bom.gg');
    const analysis = read(pathToFileURL(path).href, { name: 'mine', source: '(mine { x: 1 })' });
    expect(namesOf(analysis)).toEqual([path, 'mine']);
    expect(analysis.sources[0]?.text).toBe('(bom { x: 1 })');
  });

  test('may be pipes', () => {
    const pipe = join(directory, 'pipe.gg');
    execFileSync('mkfifo', [pipe]);
    const writer = execFileSync('sh', ['-c', `(printf '(piped { x: 1 })' > '${pipe}') >/dev/null 2>&1 & echo started`]);
    expect(writer.toString()).toBe('started\n');
    expect(read('pipe.gg').schema.objects.map(({ name }) => name)).toEqual(['Piped']);
    rmSync(pipe);
  });
});

describe('a file that cannot be read', () => {
  test.each([
    ['nowhere.gg', 'GG4001 Cannot find the file nowhere.gg.'],
    ['main.gg/inside.gg', 'GG4001 Cannot find the file main.gg/inside.gg.'],
    ['parts', 'GG4002 parts cannot be read: it is a directory.'],
    ['/dev/null', 'GG4002 /dev/null cannot be read: it is not a file.'],
    ['loop.gg', 'GG4002 loop.gg cannot be read: too many symbolic links encountered.'],
    ['a\0b.gg', /^GG4002 a\0b\.gg cannot be read: .*null bytes/],
    ['latin.gg', 'GG4003 latin.gg is not UTF-8 text (byte 13).'],
    ['cut.gg', 'GG4003 cut.gg is not UTF-8 text (byte 3).'],
    ['huge.gg', 'GG4004 huge.gg has 67108865 bytes; the limit is 67108864.'],
    ['*.nothing', 'GG4005 No file matches *.nothing.'],
    ['empty.gg', 'GG1017 The topology is empty: it has no nodes.'],
    ['imports-nothing.gg', "GG2001 Cannot find the imported file './nothing.gg'."],
    ['imports-latin.gg', 'GG4003 latin.gg is not UTF-8 text (byte 13).'],
    ['imports-folder.gg', 'GG4002 parts cannot be read: it is a directory.'],
  ])('is a finding: %j', (input, finding) => {
    if (input === 'loop.gg') symlinkSync('loop.gg', join(directory, 'loop.gg'));
    const findings = findingsOf(read(input));
    expect(findings).toEqual([finding instanceof RegExp ? expect.stringMatching(finding) : finding]);
  });

  test('is a finding if it is a pipe that never ends', () => {
    const pipe = join(directory, 'endless.gg');
    execFileSync('mkfifo', [pipe]);
    execFileSync('sh', ['-c', `(cat /dev/zero > '${pipe}') >/dev/null 2>&1 & echo started`]);
    expect(findingsOf(read('endless.gg'))).toEqual(['GG4004 endless.gg has 67108865 bytes; the limit is 67108864.']);
  });

  test('is reported at the import that names it', () => {
    const found = read('imports-latin.gg').diagnostics.find(({ code }) => code === 'GG4003');
    expect(found?.span).toEqual({ file: 'imports-latin.gg', start: 7, end: 19 });
  });

  test('is reported once, without findings about its missing nodes', () => {
    expect(findingsOf(read('nowhere.gg', { name: 'a', source: '(root)-[:PROCESS]->(b { x: Elsewhere! })' }))).toEqual([
      'GG4001 Cannot find the file nowhere.gg.',
    ]);
  });
});

describe('URLs', () => {
  let server: Server;
  let base: string;
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const texts: Record<string, string | Buffer> = {
        '/main.gg': "import './parts/user.gg'\nimport './parts/team.gg'\n(root)-[:PROCESS]->(user)",
        '/parts/user.gg': "import './team.gg'\n(user { name: 'Ada' })",
        '/parts/team.gg': '(team { x: 1 })',
        '/sneaky.gg': "import 'file:///etc/passwd'\nimport '/etc/passwd'\n(a)",
        '/latin.gg': Buffer.from([0x28, 0xe9]),
      };
      const text = texts[request.url ?? ''];
      if (request.url === '/endless.gg') {
        const chunk = Buffer.alloc(1 << 20, 0x20);
        const write = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', write);
        write();
      } else if (request.url === '/forever') {
        response.writeHead(302, { location: '/forever' }).end();
      } else if (text === undefined) response.writeHead(404).end();
      else response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  // A busy machine may take longer than 10 seconds for 64 MiB.
  beforeEach(() => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  });

  const fetched = (...inputs: TopologyInput[]) =>
    Promise.resolve(analyzeTopologies(inputs, createTopologyLoader(diskFiles(directory))));

  test('are fetched with their imports, each once', async () => {
    asked.length = 0;
    const analysis = await fetched(`${base}/main.gg`, `${base}/./main.gg`);
    expect(namesOf(analysis)).toEqual([`${base}/main.gg`, `${base}/parts/user.gg`, `${base}/parts/team.gg`]);
    expect(findingsOf(analysis)).toEqual([]);
    expect(asked.sort()).toEqual(['/main.gg', '/parts/team.gg', '/parts/user.gg']);
  });

  test('may be imported by a file, if they are allowed', async () => {
    const local = { name: 'local', source: `import '${base}/parts/team.gg'\n(a { x: 1 })` };
    const loader = createTopologyLoader(diskFiles(directory), { urls: [base] });
    const analysis = await analyzeTopologies([local], loader);
    expect(namesOf(analysis)).toEqual(['local', `${base}/parts/team.gg`]);
  });

  test('cannot reach files of this machine', async () => {
    const analysis = await fetched(`${base}/sneaky.gg`);
    expect(findingsOf(analysis)).toEqual([
      'GG4010 file:///etc/passwd cannot be imported: a remote topology can only import URLs.',
      `GG4007 ${base}/etc/passwd cannot be fetched: the response was 404 Not Found.`,
    ]);
  });

  test.each([
    ['/nowhere.gg', (url: string) => `GG4007 ${url} cannot be fetched: the response was 404 Not Found.`],
    ['/latin.gg', (url: string) => `GG4003 ${url} is not UTF-8 text (byte 1).`],
    ['/forever', (url: string) => `GG4007 ${url} cannot be fetched: redirect count exceeded.`],
  ])('without a topology are findings: %s', async (path, finding) => {
    expect(findingsOf(await fetched(base + path))).toEqual([finding(base + path)]);
  });

  test('that exceed the size limit are findings', async () => {
    expect(findingsOf(await fetched(`${base}/endless.gg`))[0]).toMatch(/^GG4004 .* the limit is 67108864\.$/);
  });

  test('without an answer are findings', async () => {
    const [finding] = findingsOf(await fetched('http://127.0.0.1:9/x.gg'));
    expect(finding).toMatch(/^GG4007 http:\/\/127\.0\.0\.1:9\/x\.gg cannot be fetched: .+/);
  });

  test('that answer too late are findings', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new DOMException('late', 'TimeoutError'));
    expect(findingsOf(await fetched(`${base}/main.gg`))).toEqual([
      `GG4007 ${base}/main.gg cannot be fetched: no response within 10 seconds.`,
    ]);
    expect(AbortSignal.timeout).toHaveBeenCalledExactlyOnceWith(10_000);
  });

  test('that import each other endlessly are reported', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      const number = Number(/(\d+)\.gg$/.exec(String(url))?.[1]);
      return new Response(`import './${number + 1}.gg'\n(n${number})`);
    });
    const analysis = await fetched('http://chain.example/0.gg');
    expect(analysis.sources.length).toBeGreaterThan(60);
    expect(findingsOf(analysis)).toHaveLength(1);
  });

  test('give a server that becomes ready later', async () => {
    const later = createGqlServer({ topologies: [`${base}/main.gg`] });
    expect(() => later.schema).toThrow('The topology is not loaded yet: await server.ready first.');
    for (const method of ['exportGraphQL', 'exportOpenAPI', 'exportCollection'] as const) {
      expect(() => later[method]()).toThrow('The topology is not loaded yet');
    }
    expect(() => later.diagnostics).toThrow();
    expect(() => later.sources).toThrow();
    expect((await ask(later, '/health/ready')).status).toBe(503);
    expect((await ask(later, '/health/live')).status).toBe(200);
    // An operation waits for the topology.
    expect((await ask(later, '/api/user')).body).toEqual({ name: 'Ada' });
    await later.ready;
    expect((await ask(later, '/health/ready')).status).toBe(200);
    expect(later.exportGraphQL()).toContain('type User');
  });

  test('give a server that fails later', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const url = `${base}/nowhere.gg`;
    const failing = createGqlServer({ topologies: [url] });
    await expect(failing.ready).rejects.toThrow(`${url} GG4007`);
    await expect(failing.executeOperation({ query: '{ a }' })).rejects.toThrow('GG4007');
    expect((await ask(failing, '/api/user')).body).toMatchObject({
      status: 503,
      detail: expect.stringContaining('GG4007'),
    });
    expect((await ask(failing, '/health/ready')).status).toBe(503);
    vi.stubEnv('NODE_ENV', 'production');
    const hidden = createGqlServer({ topologies: [url] });
    vi.unstubAllEnvs();
    expect((await ask(hidden, '/')).body.detail).toBe('The topology cannot be served.');
  });
});
