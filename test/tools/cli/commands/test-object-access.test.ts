import { describe, expect, test } from 'vitest';
import { directoryWith, type RunResult, runCli } from '../stand-in-io.js';

/** Notes of patients; `secret` is guarded, and `visits` are for everybody. */
const topology = `
  (note { id: ID!, patientId: ID!, text: String!,
    /// @roles doctor
    secret: String,
  })
  (page { id: ID!, text: String! })
  (hint { id: ID!, text: String! })
  (clinic)-[:FOLD { operation: 'write', patientId: ID!, text: String!, owner: 'patientId', returns: Note! }]->(note)
  (clinic)-[:PROCESS { operation: 'notes', patientId: ID!, owner: 'patientId', returns: [Note!]! }]->(note)
  (clinic)-[:FOLD { operation: 'drop', noteId: ID!, patientId: ID!, owner: 'patientId', returns: Note, route: 'DELETE /api/notes/{noteId}' }]->(dropped { id: ID! })
  (note)-[:FORK { operation: 'written', patientId: ID!, owner: 'patientId' }]->(wrote: Event { id: ID!, patientId: ID! })
  (clinic)-[:FOLD { operation: 'addPage', text: String!, auth: 'required', returns: Page! }]->(page)
  (clinic)-[:PROCESS { operation: 'page', id: ID!, auth: 'required', returns: Page }]->(page)
  (clinic)-[:PROCESS { operation: 'hints', auth: 'optional', returns: [Hint!]! }]->(hint)
`;

const resolvers = `
  const notes = [], pages = [];
  const add = (list, value) => { const made = { id: 'x' + (list.length + 1), ...value }; list.push(made); return made; };
  export default {
    Mutation: {
      write: (_, given) => add(notes, { ...given, secret: 'said' }),
      drop: (_, { noteId, patientId }) => notes.find((note) => note.id === noteId && note.patientId === patientId) ?? null,
      addPage: (_, given) => add(pages, given),
    },
    Query: {
      notes: (_, { patientId }) => notes.filter((note) => note.patientId === patientId),
      page: (_, { id }) => pages.find((page) => page.id === id),
      hints: () => [{ id: '1', text: 'Drink water' }],
    },
  };
`;

const callers = { ada: { roles: ['doctor'] }, eve: {}, boss: { roles: ['boss'] } };

/** Runs the command over files of a project; the server may have lost checks. */
function testObjectAccess(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  const config = { sources: ['a.gg'], callers, server: { mcp: true, owners: { exempt: ['boss'] } } };
  const directory = directoryWith({
    'a.gg': topology,
    'a.resolvers.mjs': resolvers,
    'gg-svc.config.json': JSON.stringify(config),
    ...files,
  });
  return runCli(['test', '--timeout', '120000', ...args], { directory });
}

describe('gg-svc test with several --as', () => {
  test('finds nothing wrong in an API with all its checks, and lists what is open', async () => {
    const { code, stdout, stderr } = await testObjectAccess(['--as', 'ada', '--as', 'eve', '--as', 'boss']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('✓ drop (2 steps');
    expect(stdout).not.toContain('✗');
    expect(stdout).toMatch(/open to everyone:\n {4}GET \/api\/hints\n/);
    expect(stdout).toMatch(/acts for every owner:\n {4}boss: .*DELETE \/api\/notes\/{noteId}/);
    // No rule says objectAccess a page is: Eve reads those of Ada.
    expect(stdout).toMatch(
      /! GET \/api\/page as eve over REST, GraphQL, MCP: answers with ada's Page x\d+: no rule says whose it is\n {4}1\. POST \/api\/addPage as ada {"text":"[^"]+"}\n {4}2\. GET \/api\/page as eve {"id":"x\d+"}\n/,
    );
    expect(stdout).toMatch(/replays by other users: 0 errors, 2 warnings \(\d+ requests, seed 1\)\n$/);
  });

  test.each<[string, (source: string) => string, RegExp]>([
    [
      'a list',
      (source) => source.replace('notes.filter((note) => note.patientId === patientId)', 'notes'),
      /✗ GET \/api\/notes as eve over REST, GraphQL, MCP: answers with ada's Note x\d+ \(owner patientId\)/,
    ],
    [
      'a write',
      (source) => source.replace(' && note.patientId === patientId', ''),
      /✗ DELETE \/api\/notes\/{noteId} as eve over REST, GraphQL, MCP: answers with ada's Note x\d+ \(owner patientId\)/,
    ],
    [
      'for another text than the example',
      (source) =>
        source.replace(
          'filter((note) => note.patientId === patientId)',
          "filter((note) => note.patientId === patientId || note.text !== 'A few words.')",
        ),
      /✗ GET \/api\/notes as eve over REST: answers with ada's Note/,
    ],
  ])('finds a lost check in a resolver: %s', async (_, change, message) => {
    const { code, stdout } = await testObjectAccess(['--as', 'ada', '--as', 'eve', '--seed', '7'], {
      'a.resolvers.mjs': change(resolvers),
    });
    expect(stdout).toMatch(message);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/1 error, \d warnings? \(\d+ requests, seed 7\)\n$/)]);
  });

  test('writes the replays as JSON and JUnit', async () => {
    const broken = { 'a.resolvers.mjs': resolvers.replace(' && note.patientId === patientId', '') };
    const asJson = await testObjectAccess(['--as', 'ada', '--as', 'eve', '--format', 'json'], broken);
    const { workflows, objectAccess } = JSON.parse(asJson.stdout);
    expect([workflows.length > 0, objectAccess.seed]).toEqual([true, 1]);
    expect(objectAccess.findings[0]).toMatchObject({
      severity: 'error',
      user: 'eve',
      operation: 'DELETE /api/notes/{noteId}',
    });
    const { stdout } = await testObjectAccess(['drop', '--as', 'ada', '--as', 'eve', '--format', 'junit'], broken);
    expect(stdout).toMatch(/<testsuite name="object access" tests="\d+" failures="1">/);
    expect(stdout).toContain(
      '<testcase classname="object access" name="DELETE /api/notes/{noteId} as eve"><failure message=',
    );
  });

  test.each([
    [['--as', 'ada', '--as', 'ada'], '--as ada is given twice: name another caller.'],
    [
      ['--as', 'ada', '--as', 'eve', '--role', 'doctor'],
      '--role, --scope and --claim describe a single --as: list several callers in the project file.',
    ],
    [['--as', 'ada', '--as', 'eve', '--input', 'token=x'], '--as sends a token of its own: omit the other one.'],
    [['--as', 'ada', '--as', 'eve', '--seed', 'x'], '--seed must be an integer'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await testObjectAccess(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
