import { setTimeout as pause } from 'node:timers/promises';
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
  (board { text: String!,
    /// @roles doctor nurse
    code: String,
  })
  (clinic)-[:PROCESS { operation: 'board', auth: 'required', open: 'it hangs there', returns: Board }]->(board)
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
      board: () => ({ text: 'Wash your hands.', code: '42' }),
    },
  } as unknown as Resolvers;
};

/** The findings for a server whose topology has lost something, and whose events take some milliseconds. */
async function findingsWithout(lost: string | RegExp, instead = '', delay = 0) {
  const served = [{ name: 'a.gg', source: topology.replace(lost, instead) }];
  const users = [caller('ada', ['doctor']), caller('eve')];
  const intact = [{ name: 'a.gg', source: topology }];
  const all = { ...resolvers(), Wrote: { id: ({ id }: { id: string }) => pause(delay, id) } };
  const options = { topologies: served, resolvers: all as never, mcp: true, events: memoryEvents() };
  const result = await askAs(intact, options, { users });
  const findings = result.findings.map(
    ({ operation, user, over, reason }) => `${operation} as ${user} over ${over.join(', ')}: ${reason}`,
  );
  return { ...result, findings };
}

test('an API with all checks has no finding; operations that cannot be replayed have a reason', async () => {
  const { findings, open, untested, workflows } = await findingsWithout('');
  expect(findings).toEqual([]);
  expect(open).toEqual(['GET /api/board', 'GET /api/note', 'GET /api/rooms']);
  expect(workflows.some(({ passed }) => !passed)).toBe(true);
  expect(untested).toEqual([{ operation: 'POST /api/break', reason: '$steps.pieces.outputs.brokenId has no value' }]);
});

test.each([0, 300])('finds that a stream has lost its check, if events take %i ms', async (delay) => {
  const { findings } = await findingsWithout("owner: 'patientId' }]->(wrote", "auth: 'required' }]->(wrote", delay);
  const ways = `REST, GraphQL, ${hasWebSocket ? 'WebSocket, ' : ''}MCP`;
  expect(findings).toEqual([
    expect.stringMatching(new RegExp(`^SSE /api/written as eve over ${ways}: .* \\(owner patientId\\)$`)),
  ]);
});

test.each<[string, string | RegExp, string, RegExp]>([
  [
    'a field with a role',
    '/// @roles doctor',
    '',
    /^GET \/api\/note as eve over GraphQL: answers with Note.secret \(role doctor\)$/,
  ],
  [
    'a field with a role in the result of a mutation',
    '/// @roles doctor',
    '',
    /^POST \/api\/write as eve over GraphQL: answers with Note.secret \(role doctor\)$/,
  ],
  [
    'a field of a type without ids',
    '/// @roles doctor nurse',
    '',
    /^GET \/api\/board as eve over GraphQL: answers with Board.code \(one of the roles doctor, nurse\)$/,
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

/** What a query finds: a union, or an interface that two types implement, with an owner of one type and a field of each. */
const things = (result: string, lost?: string) => {
  const source = `
    (root)-[:FOLD { operation: 'write', patientId: ID!, owner: 'patientId', returns: Note! }]->(writing { text: String })
    (thing: Interface { id: ID! })
    /// @owner patientId
    (visit { implements: [Thing], id: ID!, patientId: ID! })
    (note { implements: [Thing], id: ID!, patientId: ID!,
      /// @roles doctor
      secret: String,
    })
    (poster { implements: [Thing], id: ID!,
      /// @scopes posters:read
      secret: String,
    })
    (visit | note | poster)-[:RACE { union: 'Found' }]->(answer)
    (answer)-[:PROCESS { operation: 'find', patientId: ID!, auth: 'required', open: 'all are on the board', returns: ${result} }]->(thing)`;
  return lost === undefined ? source : source.replace(lost, '');
};

test.each(['[Found!]!', '[Thing!]!'])('finds the lost checks of types in %s', async (result) => {
  const found = [
    { __typename: 'Note', id: 'n1', patientId: 'ada', secret: 'said' },
    { __typename: 'Visit', id: 'v1', patientId: 'ada' },
    { __typename: 'Poster', id: 'p1', secret: 'painted' },
  ];
  const findings = async (lost?: string) => {
    const served = [{ name: 'a.gg', source: things(result, lost) }];
    const intact = [{ name: 'a.gg', source: things(result) }];
    const write = (_: unknown, { patientId }: { patientId: string }) => ({ id: `note of ${patientId}`, patientId });
    const options = { topologies: served, resolvers: { Mutation: { write }, Query: { find: () => found } } as never };
    const all = await askAs(intact, options, { users: [caller('ada', ['doctor']), caller('eve')] });
    return all.findings.map(({ operation, user, reason }) => `${operation} as ${user}: ${reason}`);
  };
  const call = 'GET /api/find as eve: answers with';
  expect(await findings()).toEqual([]);
  expect(await findings('/// @owner patientId')).toEqual([`${call} ada's Visit v1 (owner patientId)`]);
  expect(await findings('/// @roles doctor')).toEqual([`${call} Note.secret (role doctor)`]);
  expect(await findings('/// @scopes posters:read')).toEqual([`${call} Poster.secret (posters:read)`]);
});

/** Documents that a caller owns: by a number, with a list beside it, and with a second caller in another field. */
const documents = (isBroken: boolean) => {
  const source = `
    (tag: Input { name: String! })
    (tagged { name: String! })
    (doc { id: ID!, tenantId: Int!, readerId: Int, tags: [Tagged!]! })
    (desk)-[:FOLD { operation: 'write', tenantId: Int!, owner: 'tenantId', tags: [Tag!]!, returns: Doc! }]->(doc)
    (desk)-[:PROCESS { operation: 'docs', tenantId: Int!, owner: 'tenantId', returns: [Doc!]! }]->(doc)
    (desk)-[:PROCESS { operation: 'read', readerId: Int!, owner: 'readerId', returns: [Doc!]! }]->(doc)
    (desk)-[:FOLD { operation: 'rename', id: ID!, tenantId: Int!, owner: 'tenantId', names: [String!]!, returns: Doc }]->(doc)
  `;
  interface Doc {
    readonly id: string;
    readonly tenantId: number;
    readonly readerId: number | null;
    readonly tags: readonly object[];
  }
  // Eve has a document that Ada reads.
  const docs: Doc[] = [{ id: 'd0', tenantId: 8, readerId: 7, tags: [] }];
  const ofTenant = (tenantId: number) => docs.filter((one) => isBroken || one.tenantId === tenantId);
  const resolvers = {
    Query: {
      docs: (_: unknown, { tenantId }: Doc) => ofTenant(tenantId),
      read: (_: unknown, { readerId }: Doc) => docs.filter((one) => one.readerId === readerId),
    },
    Mutation: {
      write: (_: unknown, given: Omit<Doc, 'id' | 'readerId'>) => {
        const doc = { ...given, id: `d${docs.length}`, readerId: null };
        docs.push(doc);
        return doc;
      },
      rename: (_: unknown, { id, tenantId }: Doc) => ofTenant(tenantId).find((one) => one.id === id) ?? null,
    },
  };
  return { source, resolvers };
};

test.each(['chains', 'operations', 'find'] as const)(
  'owners that are numbers, lists of inputs and objects that name both callers are judged over all ways, with the tools %s',
  async (tools) => {
    for (const isBroken of [false, true]) {
      const { source, resolvers } = documents(isBroken);
      const topologies = [{ name: 'a.gg', source }];
      const options = { topologies, resolvers: resolvers as never, mcp: { tools } };
      const users = ['7', '8'].map((id) => caller(id));
      const { workflows, findings, untested } = await askAs(topologies, options, { users }, { variations: 1 });
      expect(workflows.filter(({ passed }) => !passed)).toEqual([]);
      expect(untested).toEqual([]);
      const said = findings.map(({ operation, over, reason }) => `${operation} ${over.join()} ${reason}`);
      expect(said).toEqual(
        isBroken
          ? [
              expect.stringMatching(/^GET \/api\/docs REST,GraphQL,MCP answers with 7's Doc d\d+ \(owner tenantId\)$/),
              expect.stringMatching(
                /^POST \/api\/rename REST,GraphQL,MCP answers with 7's Doc d\d+ \(owner tenantId\)$/,
              ),
            ]
          : [],
      );
    }
  },
);

test('the report says that tools of agents could not be asked if they are not those of the topology', async () => {
  const { source, resolvers } = documents(false);
  const intact = [{ name: 'a.gg', source }];
  const changed = [{ name: 'a.gg', source: source.replace("'write'", "'writeDown'") }];
  const { write, rename } = resolvers.Mutation;
  const served = { Query: resolvers.Query, Mutation: { writeDown: write, rename } };
  const options = { topologies: changed, resolvers: served as never, mcp: true };
  const { untested } = await askAs(intact, options, { users: ['7', '8'].map((id) => caller(id)) });
  expect(untested).toContainEqual({
    operation: 'POST /mcp',
    reason: 'its tools are not those of the topology',
  });
});
