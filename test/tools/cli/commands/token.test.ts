import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGqlServer, loadConfig } from '../../../../src/index.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const secret = 'a secret of exactly thirty-two b';
const jwt = {
  issuer: 'https://login.example.com/',
  audience: ['clinic', 'admin'],
  secretFrom: 'CLINIC_SECRET',
};
const topology = `
  (root)-[:PROCESS { roles: ['doctor'], scopes: ['visits:read'] }]->(visit { text: 'a visit' })
`;

/** A folder with a project file, and the command line in it. */
function projectWith(config: object, env: Readonly<Record<string, string>> = { CLINIC_SECRET: secret }) {
  const directory = directoryWith({ 'gg-svc.config.json': JSON.stringify(config) });
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { directory, token: (...args: string[]) => runCli(['token', ...args], { directory, env }) };
}

describe('gg-svc token', () => {
  test.each([[jwt], [{ ...jwt, algorithms: ['HS512', 'HS256'], types: ['JWT'] }]])(
    'prints a token that the server of the project accepts: %o',
    async (settings) => {
      const long = { CLINIC_SECRET: secret.repeat(2) };
      const { directory, token } = projectWith({ server: { auth: { jwt: settings } } }, long);
      const { serverOptions } = (await loadConfig({ directory })) ?? {};
      const server = createGqlServer({ ...serverOptions, topologies: [{ name: 'a.gg', source: topology }] });
      const status = async (...args: string[]) => {
        const { stdout } = await token('--as', 'ada', ...args);
        const headers = { authorization: `Bearer ${stdout.trimEnd()}` };
        return (await server.fetch(new Request('http://localhost/api/visit', { headers }))).status;
      };
      expect(await status('--role', 'doctor', '--scope', 'a', '--scope', 'visits:read')).toBe(200);
      expect(await status('--role', 'doctor')).toBe(403);
      expect(await status()).toBe(403);
    },
  );

  test('writes the claims of its options, and those that the project file has for the caller', async () => {
    const callers = { ada: { roles: ['doctor'], scopes: ['a'], claims: { clinic: 'north', on: true } } };
    const { token } = projectWith({ server: { auth: { jwt } }, callers });
    const more = ['--role', 'head', '--scope', 'b', '--claim', 'clinic=south', '--claim', 'beds=7'];
    const { code, stdout, stderr } = await token('--as', 'ada', ...more, '--ttl', '15m');
    expect([code, stderr]).toEqual([0, '']);
    expect(decodeProtectedHeader(stdout)).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    const { iat = 0, exp, ...claims } = decodeJwt(stdout);
    expect(claims).toEqual({
      iss: 'https://login.example.com/',
      aud: 'clinic',
      sub: 'ada',
      roles: ['doctor', 'head'],
      scope: 'a b',
      clinic: 'south',
      on: true,
      beds: 7,
    });
    expect(exp).toBe(iat + 900);
    expect(decodeJwt((await token('--as', 'constructor')).stdout)).toMatchObject({ roles: [] });
  });

  test.each([
    [[], "required option '--as <id>' not specified"],
    [['--as', ''], '--as must be the id of a caller.'],
    [['--as', 'ada', '--ttl', 'soon'], '--ttl must be a number of seconds, or a time such as 60s'],
    [['--as', 'ada', '--claim', 'clinic'], '--claim must be a name and a value, such as clinic=north.'],
    [['--as', 'ada', '--claim', 'sub=bo'], '--claim cannot set sub: use --as, --role, --scope or --ttl.'],
  ])('rejects the options %j', async (args, message) => {
    const { token } = projectWith({ server: { auth: { jwt } } });
    const { code, stdout, stderr } = await token(...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  const key = { id: 'ada', sha256: '0'.repeat(64) };
  const { secretFrom: _, ...remote } = { ...jwt, jwks: 'https://login.example.com/keys' };

  test.each<[string, object, string[]]>([
    [
      'without server.auth',
      {},
      [
        'the project file has no server.auth.jwt',
        'gg-svc dev makes one for a topology with access settings. Or set server.auth.jwt with “secretFrom”',
      ],
    ],
    ['with API keys', { apiKeys: { keys: [key] } }, ['with API keys', 'in the header X-API-Key']],
    [
      'with a key set',
      { jwt: remote },
      ['public keys of https://login.example.com/keys', 'Get a token from https://login.example.com/'],
    ],
  ])('explains with GG5085 how to get a token of a project %s', async (_case, auth, texts) => {
    const { token } = projectWith({ server: { auth } });
    const { code, stdout, stderr } = await token('--as', 'ada');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('error[GG5085] Cannot sign a token: ')]);
    for (const text of texts) expect(stderr).toContain(text);
  });

  test.each<[object, Record<string, string>, string]>([
    [jwt, {}, 'name an environment variable with a secret of at least 32 bytes; CLINIC_SECRET has 0'],
    [{ ...jwt, algorithms: ['HS384'] }, { CLINIC_SECRET: secret }, 'at least 48 bytes; CLINIC_SECRET has 32'],
    [{ ...jwt, algorithms: ['RS256'] }, { CLINIC_SECRET: secret }, 'be some of HS256, HS384, HS512'],
    [{ ...jwt, jwks: 'https://a.example/' }, {}, '“server.auth.jwt.jwks” must be given, or “secretFrom”'],
  ])('and the server reject the settings %o', async (settings, env, message) => {
    const { directory, token } = projectWith({ server: { auth: { jwt: settings } } }, env);
    await expect(loadConfig({ directory })).rejects.toThrow(message);
    if ('jwks' in settings) return;
    const { code, stdout, stderr } = await token('--as', 'ada');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('error[GG5042]')]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(secret);
  });
});
