import { expect, test } from 'vitest';
import { memoryEvents } from '../../../../src/runtime/brokers/memory.js';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import { hasWebSocket } from '../../../../src/tools/workflows/web-socket.js';
import { askAs, caller } from './ask-as.js';

const topology = `
  /// @owner patientId
  (visit { id: ID!, patientId: ID! })
  (room { id: ID!, visit: Visit })
  (note { id: ID!, patientId: ID!,
    /// @roles doctor
    secret: String,
    /// @owner patientId
    pin: String,
  })
  (lost: Problem { status: 409 })
  (clinic)-[:FOLD { operation: 'write', patientId: ID!, owner: 'patientId', returns: Note! }]->(note)
  (clinic)-[:PROCESS { operation: 'note', id: ID!, auth: 'required', open: 'notes are on the board', returns: Note }]->(note)
  (note)-[:FORK { operation: 'written', patientId: ID!, owner: 'patientId' }]->(wrote: Event { id: ID!, patientId: ID! })
  (clinic)-[:PROCESS { operation: 'rooms', auth: 'optional', returns: [Room!]! }]->(room)
  (clinic)-[:FOLD { operation: 'lose', noteId: ID!, roles: ['doctor'], returns: Boolean!, throws: [Lost] }]->(lost_note { id: ID! })
  (clinic)-[:FOLD { operation: 'break', id: ID!, auth: 'required', returns: Broken! }]->(broken { id: ID! })
  (broken)-[:PROCESS { operation: 'pieces', brokenId: ID!, auth: 'required', returns: [Broken!]! }]->(broken)
`;

const resolvers = () => {
  const notes = new Map<string, object>();
  return {
    Mutation: {
      write: (_: unknown, given: object) => {
        const note = { id: `n${notes.size + 1}`, ...given, secret: 'said', pin: '1234' };
        notes.set(note.id, note);
        return note;
      },
      lose: () => Promise.reject(Object.assign(new Error('It is lost.'), { name: 'Lost' })),
      break: () => {
        throw new Error('no');
      },
    },
    Query: {
      note: (_: unknown, { id }: { id: string }) => notes.get(id) ?? null,
      rooms: () => [
        { id: 'r1', visit: { id: 'v1', patientId: 'ada' } },
        { id: 'r2', visit: null },
      ],
      pieces: () => [],
    },
  } as unknown as Resolvers;
};

/** The findings for a server whose topology has lost something. */
async function findingsWithout(lost: string | RegExp, instead = '') {
  const served = [{ name: 'a.gg', source: topology.replace(lost, instead) }];
  const users = [caller('ada', ['doctor']), caller('eve')];
  const intact = [{ name: 'a.gg', source: topology }];
  const options = { topologies: served, resolvers: resolvers() as never, mcp: true, events: memoryEvents() };
  const result = await askAs(intact, options, { users });
  const findings = result.findings.map(
    ({ operation, user, over, reason }) => `${operation} as ${user} over ${over.join(', ')}: ${reason}`,
  );
  return { ...result, findings };
}

test('an API with all checks has no finding; operations that cannot be replayed have a reason', async () => {
  const { findings, open, untested, workflows } = await findingsWithout('');
  expect(findings).toEqual([]);
  expect(open).toEqual(['GET /api/note', 'GET /api/rooms']);
  expect(workflows.some(({ passed }) => !passed)).toBe(true);
  expect(untested).toEqual([{ operation: 'POST /api/break', reason: '$steps.pieces.outputs.brokenId has no value' }]);
});

test.each<[string, string | RegExp, string, RegExp]>([
  [
    'a stream',
    "owner: 'patientId' }]->(wrote",
    "auth: 'required' }]->(wrote",
    new RegExp(
      `^SSE /api/written as eve over REST, GraphQL, ${hasWebSocket ? 'WebSocket, ' : ''}MCP: .* \\(owner patientId\\)$`,
    ),
  ],
  [
    'a field with a role',
    '/// @roles doctor',
    '',
    /^GET \/api\/note as eve over GraphQL: answers with Note.secret \(role doctor\)$/,
  ],
  [
    'a field with an owner',
    /\/\/\/ @owner patientId\n {4}pin/,
    'pin',
    /^GET \/api\/note as eve over GraphQL: answers with Note.pin \(owner patientId\)$/,
  ],
  [
    'the owner of an object in another',
    '/// @owner patientId',
    '',
    /^GET \/api\/rooms as eve over REST, GraphQL, MCP: answers with ada's Visit v1 \(owner patientId\)$/,
  ],
  [
    'a role of an operation that fails',
    "roles: ['doctor'], returns: Boolean",
    "auth: 'required', returns: Boolean",
    /^POST \/api\/lose as eve over REST: answers 409, so the call was not refused \(role doctor\)$/,
  ],
])('finds that %s has lost its check', async (_, lost, instead, message) => {
  const { findings } = await findingsWithout(lost, instead);
  expect(findings).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
});
