import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { directoryWith, type RunResult, repository, runCli } from '../stand-in-io.js';

const index = readFileSync(new URL('docs/examples/federation/index.json', repository), 'utf8');
const golden = new URL('docs/examples/federation/golden/', repository).pathname;

/** Runs `gg-svc federation …` in a directory. */
const run = (directory: string, line: string): Promise<RunResult> =>
  runCli(['federation', ...line.split(' ')], { directory });

describe('gg-svc federation, from nothing to a bundle that verifies', () => {
  const directory = directoryWith({ 'index.json': index });
  const steps = [
    'keygen --name index -o index.key.json --trust trust.json --roles snapshot,route,revocation',
    'keygen --name chains -o chains.key.json --trust trust.json --roles chain',
    'keygen --name willow -o willow.key.json --trust trust.json --roles witness',
    'sign index.json --key index.key.json --key chain=chains.key.json --key witness=willow.key.json -o index.bundle.json',
    'verify index.bundle.json --trust trust.json',
    'show index.bundle.json',
  ];
  const results: RunResult[] = [];
  beforeAll(async () => {
    for (const step of steps) results.push(await run(directory, step));
  });

  test('every step exits with 0', () => {
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(steps.map(() => [0, '']));
  });

  test('the key file is readable by its owner only, and the public key is printed', () => {
    expect(statSync(join(directory, 'index.key.json')).mode & 0o777).toBe(0o600);
    const { issuer, publicKey } = JSON.parse(readFileSync(join(directory, 'index.key.json'), 'utf8'));
    expect(results[0]?.stdout).toBe(
      `wrote index.key.json\nadded to trust.json for snapshot, route, revocation\nissuer      ${issuer}\npublic key  ${publicKey}\n`,
    );
  });

  test('the policy has three keys, each in its roles', () => {
    const { keys, roles } = JSON.parse(readFileSync(join(directory, 'trust.json'), 'utf8'));
    expect(keys).toHaveLength(3);
    const names = Object.entries(roles).map(([role, trust]) => [
      role,
      (trust as { issuers: string[] }).issuers[0]?.split('#')[0],
    ]);
    expect(Object.fromEntries(names)).toEqual({
      snapshot: 'index',
      route: 'index',
      revocation: 'index',
      chain: 'chains',
      witness: 'willow',
    });
  });

  test('signing, verifying and showing print the contents of the bundle', () => {
    expect(results[3]?.stdout).toMatch(
      /^wrote index\.bundle\.json: epoch 7, 3 chains, 2 routes, 0 revocations\nsha256:[0-9a-f]{64}\n$/,
    );
    expect(results[4]?.stdout).toMatch(
      /^index\.bundle\.json is valid: epoch 7 of \S+Z, signed by index#[0-9a-f]{16}; 3 chains, 2 routes, 0 revocations\n$/,
    );
    expect(results[5]?.stdout).toMatch(/^route alder → birch → cedar, expires at 2099-01-01T00:00:00Z/m);
  });

  test('an existing key file is not overwritten (GG4006)', async () => {
    const before = readFileSync(join(directory, 'index.key.json'), 'utf8');
    const { code, stderr } = await run(directory, 'keygen --name index -o index.key.json');
    expect([code, stderr]).toMatchObject([1, expect.stringContaining('file already exists')]);
    expect(readFileSync(join(directory, 'index.key.json'), 'utf8')).toBe(before);
  });

  test('a change after signing is detected', async () => {
    const bundle = readFileSync(join(directory, 'index.bundle.json'), 'utf8');
    writeFileSync(join(directory, 'bent.json'), bundle.replace('birch.example', 'birth.example'));
    const { code, stdout, stderr } = await run(directory, 'verify bent.json --trust trust.json');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error\[GG6017\] The digest in the header is .*\n --> bent\.json\n/);
  });

  test('a policy of another issuer is GG6011', async () => {
    await run(directory, 'keygen --name other -o other.key.json --trust other.json');
    const { code, stderr } = await run(directory, 'verify index.bundle.json --trust other.json');
    expect([code, stderr]).toMatchObject([1, expect.stringContaining('GG6011')]);
  });

  test('a bundle is verified from a URL as well', async () => {
    const http = createServer((_request, response) => response.end(readFileSync(join(directory, 'index.bundle.json'))));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/federation/bundle`;
    expect((await run(directory, `verify ${url} --trust trust.json`)).code).toBe(0);
    expect((await run(directory, `show ${url}`)).stdout).toContain('chain alder');
    http.close();
  });

  test('a bundle is served', async () => {
    writeFileSync(join(directory, 'a.gg'), "(root)-[:PROCESS]->(hello { text: 'Hello' })");
    let stop = (): void => undefined;
    let origin = '';
    const told = await new Promise<string>((resolve) => {
      const options = '--federation index.bundle.json --trust trust.json --port 0'.split(' ');
      let written = '';
      void runCli(['serve', 'a.gg', ...options], {
        directory,
        stdout: (text) => {
          written += text;
          origin = /http:\/\/127\.0\.0\.1:\d+/.exec(written)?.[0] ?? '';
          if (written.includes('Ctrl+C')) resolve(written);
        },
        onStop: (ask) => {
          stop = ask;
          return () => undefined;
        },
      });
    });
    expect(told).toContain('1 query');
    const lookup = await fetch(`${origin}/api/federationLookup?from=alder&to=cedar`);
    expect(((await lookup.json()) as { route: { hops: unknown[] } }).route.hops).toHaveLength(3);
    expect((await run(directory, `verify ${origin}/federation/bundle --trust trust.json`)).code).toBe(0);
    stop();
  });
});

describe('the golden bundle', () => {
  test('verifies at its time, and has expired since', async () => {
    const line = 'verify index.bundle.json --trust trust.json';
    expect((await run(golden, `${line} --at 2026-03-01T12:00:00Z`)).code).toBe(0);
    const { code, stderr } = await run(golden, `${line} --at 2026-03-02T12:00:00Z`);
    expect([code, stderr]).toMatchObject([1, expect.stringContaining('GG6020')]);
  });

  test('is shown with its revocations, and as JSON', async () => {
    const { stdout } = await run(golden, 'show index.bundle.json');
    expect(stdout).toContain('revoked chain dogwood at 2026-03-01T12:00:00Z: retired\n');
    expect(JSON.parse((await run(golden, 'show index.bundle.json --json')).stdout).snapshot.epoch).toBe(7);
  });
});

describe('an impossible federation command is a finding:', () => {
  const directory = directoryWith({
    'index.json': index,
    'list.json': '[]',
    'a.gg': "(root)-[:PROCESS]->(hello { text: 'Hello' })",
  });
  mkdirSync(join(directory, 'folder'));
  beforeAll(async () => {
    await run(directory, 'keygen --name one -o one.key.json --trust one.json');
    const key = JSON.parse(readFileSync(join(directory, 'one.key.json'), 'utf8'));
    const change = (name: string, changes: object) =>
      writeFileSync(join(directory, name), JSON.stringify({ ...key, ...changes }));
    change('other-public.json', { publicKey: `ed25519:${'A'.repeat(43)}` });
    change('other-issuer.json', { issuer: 'one#0000000000000000' });
    change('other-private.json', { privateKey: key.privateKey.replace(/.$/, 'B') });
  });

  test.each([
    ['sign list.json --key one.key.json -o b.json', 'GG6026'],
    ['sign none.json --key one.key.json -o b.json', 'GG4001'],
    ['sign index.json --key none.json -o b.json', 'GG4001'],
    ['sign index.json --key list.json -o b.json', 'GG6027'],
    ['sign index.json --key other-public.json -o b.json', 'GG6027'],
    ['sign index.json --key other-issuer.json -o b.json', 'GG6027'],
    ['sign index.json --key other-private.json -o b.json', 'GG6027'],
    ['sign index.json --key chain=one.key.json -o b.json', 'GG6028'],
    ['sign index.json --key one.key.json -o folder', 'GG4006'],
    ['verify none.json --trust one.json', 'GG4001'],
    ['verify index.json --trust none.json', 'GG4001'],
    ['verify index.json --trust list.json', 'GG6008'],
    ['verify index.json --trust one.json', 'GG6007'],
    ['show none.json', 'GG4001'],
    ['show index.json', 'GG6007'],
    ['keygen --name x -o index.json/x.json', 'GG4006'],
    ['keygen --name x -o x1.json --trust list.json', 'GG6008'],
    ['keygen --name x -o x2.json --trust folder', 'GG4002'],
    ['keygen --name x -o x3.json --trust none.json --roles chain', 'GG6008'],
  ])('%s: %s', async (line, code) => {
    const result = await run(directory, line);
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(`error[${code}]`);
  });

  test('a bundle that does not verify is not served', async () => {
    const args = ['serve', 'a.gg', '--federation', 'index.json', '--trust', 'one.json'];
    const { code, stdout, stderr } = await runCli(args, { directory });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error[GG6007]');
  });

  test.each([
    ['federation keygen --name no/name -o x.json', /--name must be up to 64 letters/],
    ['federation keygen --name x -o x.json --roles chains', /--roles must be among snapshot, .*, not chains\./],
    [
      'federation sign index.json --key chains=one.key.json -o b.json',
      /The role of --key must be one of snapshot, .*, not chains\./,
    ],
    ['federation sign index.json -o b.json', /required option '-k, --key <key>' not specified/],
    ['federation verify a --trust one.json --at noon', /--at must be a time such as 2026-03-01T12:00:00Z, not noon\./],
    ['federation mint', /unknown command 'mint'/],
    ['federation', /Usage: gg-svc federation/],
    ['serve a.gg --federation b.json', /--federation requires --trust <policy>/],
    ['serve a.gg --trust one.json', /--trust requires --federation <bundle>/],
  ])('%s is a usage error', async (line, message) => {
    const { code, stderr } = await runCli(line.split(' '), { directory });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('an endless device in place of a file', () => {
  const directory = directoryWith({ 'index.json': index });
  test.each([
    'show /dev/zero',
    'verify /dev/zero --trust trust.json',
    'verify index.bundle.json --trust /dev/zero',
    'sign /dev/zero --key index.key.json -o out.json',
    'sign index.json --key /dev/zero -o out.json',
  ])('is rejected by %s', async (line) => {
    await run(directory, 'keygen --name index -o index.key.json --trust trust.json');
    const { code, stderr } = await run(directory, line);
    expect(code).toBe(1);
    expect(stderr).toContain('/dev/zero cannot be read: it is not a file.');
  });
});
