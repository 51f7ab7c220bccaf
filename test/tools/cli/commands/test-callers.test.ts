import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBetaHttpServer, createGqlServer, loadConfig } from '../../../../src/index.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = `
  (patient { id: ID!, name: String! }) (visit { id: ID!, patientId: ID!, note: String! }) (hint { text: 'Drink water' })
  (new_patient: Input { name: String! })-[:FOLD { operation: 'admit', roles: ['clerk'], returns: Patient! }]->(patient)
  (new_visit: Input { patientId: ID!, note: String! })-[:FOLD { operation: 'addVisit', roles: ['doctor'], scopes: ['visits:write'], returns: Visit! }]->(visit)
  (root)-[:PROCESS { id: ID!, roles: ['doctor', 'clerk'], owner: 'id' }]->(patient)
  (visit)-[:FORK { roles: ['clerk'] }]->(visit_added: Event { id: ID!, note: String! })
  (root)-[:PROCESS { auth: 'optional' }]->(hint)
`;

const resolvers = `
  const patients = new Map();
  const note = (context, operation) => console.log(operation, context.principal?.id, context.principal?.claims?.clinic);
  export default {
    Mutation: {
      admit: (_, { input }, context) => {
        note(context, 'admit');
        const patient = { id: String(patients.size + 1), ...input };
        patients.set(patient.id, patient);
        return patient;
      },
      addVisit: (_, { input }, context) => (note(context, 'addVisit'), { id: '1', ...input }),
    },
    Query: { patient: (_, { id }) => patients.get(id), hint: (_, _args, context) => (note(context, 'hint'), { text: 'x' }) },
  };
`;

const callers = {
  carl: { roles: ['clerk'] },
  dora: { roles: ['doctor'], scopes: ['visits:write'], claims: { clinic: 'north' } },
  eve: { roles: ['clerk', 'admin'] },
};
const server = { owners: { exempt: ['admin'] } };

/** Runs the workflows of the topology with a project file. */
async function runWith(config: object, ...args: string[]) {
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  const directory = directoryWith({
    'a.gg': topology,
    'a.resolvers.mjs': resolvers,
    'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], ...config }),
  });
  const { code, stdout, stderr } = await runCli(['test', '--format', 'json', '--timeout', '120000', ...args], {
    directory,
    env: { CLINIC_SECRET: secret },
  });
  const results = !stdout.startsWith('{') ? [] : JSON.parse(stdout).workflows;
  const steps = results.flatMap(({ steps }: { steps: { step: string; caller?: string; outcome: string }[] }) =>
    steps.map(({ step, caller, outcome }) => `${step} as ${caller}: ${outcome}`),
  );
  return {
    code,
    stdout,
    stderr,
    steps: new Set(steps),
    calls: new Set(logged.mock.calls.map((call) => call.join(' '))),
  };
}

const secret = 'a secret of exactly thirty-two b';

describe('the callers of gg-svc test', () => {
  test('are those of the project file: each request is sent by the first that may make it', async () => {
    const { code, stderr, steps, calls } = await runWith({ callers, server });
    expect([code, stderr]).toEqual([0, '']);
    expect(steps).toEqual(
      new Set([
        'admit as carl: passed',
        'addVisit as dora: passed',
        // Only eve acts for every owner.
        'patient as eve: passed',
        'hint as carl: passed',
      ]),
    );
    expect(calls).toEqual(new Set(['admit carl ', 'addVisit dora north', 'hint carl ']));
  });

  test('may be one for all requests: --as, with further roles, scopes and claims', async () => {
    const more = ['--role', 'clerk', '--role', 'admin', '--claim', 'clinic=south'];
    const dora = await runWith({ callers, server }, '--as', 'dora', ...more);
    expect([dora.code, dora.stderr]).toEqual([0, '']);
    expect(dora.calls).toEqual(new Set(['admit dora south', 'addVisit dora south', 'hint dora south']));
    // A caller that the project file does not list has what the options give.
    const { code, steps } = await runWith({ server }, '--as', 'finn', '--role', 'clerk');
    expect(code).toBe(1);
    expect(steps).toContain('admit as finn: passed');
    expect(steps).toContain('addVisit as finn: failed');
    const shown = await runWith({ server }, 'addVisit', '--as', 'finn', '--role', 'clerk', '--format', 'text');
    expect(shown.stdout).toContain('✓ POST /api/admit as finn 200');
  });

  test.each([
    { apiKeys: { keys: [{ id: 'ada', sha256: '0'.repeat(64) }] } },
    { jwt: { issuer: 'a', audience: 'b', secretFrom: 'NONE' } },
  ])('are known beside those of server.auth: %o', async (auth) => {
    vi.stubEnv('NONE', secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr, steps } = await runWith({ callers, server: { ...server, auth } }, 'addVisit');
    expect([code, stderr]).toEqual([0, '']);
    expect(steps).toEqual(new Set(['admit as carl: passed', 'addVisit as dora: passed']));
  });

  test('have tokens of the configured secret on a server that runs already', async () => {
    vi.stubEnv('CLINIC_SECRET', secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const jwt = { issuer: 'clinic', audience: 'clinic', secretFrom: 'CLINIC_SECRET' };
    const config = { callers, server: { ...server, auth: { jwt } } };
    const directory = directoryWith({ 'gg-svc.config.json': JSON.stringify(config) });
    const patient = { id: '1', name: 'Bo' };
    const visit = { id: '1', patientId: '1', note: 'Well' };
    const { serverOptions } = (await loadConfig({ directory })) ?? {};
    const api = createGqlServer({
      ...serverOptions,
      topologies: [{ name: 'a.gg', source: topology }],
      resolvers: { Mutation: { admit: () => patient, addVisit: () => visit } },
    });
    const http = createBetaHttpServer(api);
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    onTestFinished(() => void http.close());
    const { port } = http.address() as { readonly port: number };
    const url = `http://127.0.0.1:${port}`;
    const { code, stderr, steps } = await runWith(config, 'addVisit', '--url', url);
    expect([code, stderr]).toEqual([0, '']);
    expect(steps).toEqual(new Set(['admit as carl: passed', 'addVisit as dora: passed']));
    const keys = {
      callers,
      server: { auth: { jwt: { ...jwt, secretFrom: undefined, jwks: 'https://a/' } } },
    };
    const refused = await runWith(keys, '--url', url);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('error[GG5085]')]);
    // A token of the issuer takes the place of the callers.
    const given = await runWith(keys, 'addVisit', '--url', url, '--input', 'token=x');
    expect(given.steps).toEqual(new Set(['admit as undefined: failed', 'addVisit as undefined: skipped']));
  });

  test.each([
    [['--role', 'clerk'], '--role, --scope and --claim need --as: the id of the caller.'],
    [['--as', 'ada', '--input', 'token=x'], '--as sends a token of its own: omit the other one.'],
    [['--as', 'ada', '-H', 'authorization: Bearer x'], '--as sends a token of its own: omit the other one.'],
  ])('reject %j', async (args, message) => {
    const { code, stderr } = await runWith({}, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
