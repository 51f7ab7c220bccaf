import { afterEach, expect, test } from 'vitest';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import { serve } from '../../server/topology-server.js';

const source = `
  (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID! })
  (save_user)-[:FORK]->(user_seen: Event { id: ID! })
`;
const kept = 400;
const clients = 50;
const servers: GqlServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.drain();
});

/** A server that keeps events, and the position before the first of them. */
async function serverWithEvents(
  payloadOf: (id: string) => object = (id) => ({ id }),
): Promise<{ readonly server: GqlServer; readonly after: string }> {
  const server = serve(source);
  servers.push(server);
  const response = await server.fetch(new Request('http://a/api/userSaved'));
  const reader = response.body?.getReader();
  const opening = Buffer.from((await reader?.read())?.value ?? []).toString();
  await reader?.cancel();
  for (let id = 1; id <= kept; id++) server.publish('userSaved', payloadOf(String(id)));
  server.publish('userSeen', { id: 'last' });
  return { server, after: /^id: (\S+)$/m.exec(opening)?.[1] ?? '' };
}

/** Follows a subscription from a position; calls back for each result until it returns true. */
async function replay(
  server: GqlServer,
  { query, variables }: { readonly query: string; readonly variables: object },
  taken: () => boolean,
): Promise<void> {
  const results = await server.subscribe({ query, variables: { ...variables } });
  if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
  for await (const _ of results) if (taken()) break;
}

/** Counts what is done between two turns of the event loop, and gives the most of it. */
function countBetweenTurns(): { done: number; stop(): number } {
  let most = 0;
  let before = 0;
  let isOver = false;
  const counter = {
    done: 0,
    stop() {
      isOver = true;
      return Math.max(most, counter.done - before);
    },
  };
  const turn = (): void => {
    most = Math.max(most, counter.done - before);
    before = counter.done;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return counter;
}

test('clients that resume together yield to other work after 25 events in total', async () => {
  const { server, after } = await serverWithEvents();
  const counter = countBetweenTurns();
  const query = 'subscription ($after: String) { userSaved(after: $after) { id } }';
  await Promise.all(
    Array.from({ length: clients }, () => {
      let got = 0;
      return replay(server, { query, variables: { after } }, () => {
        counter.done += 1;
        got += 1;
        return got === kept;
      });
    }),
  );
  expect(counter.done).toBe(clients * kept);
  // Two turns may lie between two counts.
  expect(counter.stop()).toBeLessThanOrEqual(50);
});

test('clients that resume yield to other work even if their filters drop all events', async () => {
  let counter: ReturnType<typeof countBetweenTurns> | undefined;
  /** The filter of each client reads it. */
  class Counted {
    get id(): string {
      if (counter !== undefined) counter.done += 1;
      return 'other';
    }
  }
  const { server, after } = await serverWithEvents(() => new Counted());
  counter = countBetweenTurns();
  const query = 'subscription ($after: String) { userSaved(id: "last", after: $after) { id } }';
  const replays = Array.from({ length: clients }, () => replay(server, { query, variables: { after } }, () => true));
  await expect.poll(() => counter?.done).toBe(clients * kept);
  expect(counter.stop()).toBeLessThanOrEqual(50);
  server.publish('userSaved', { id: 'last' });
  await Promise.all(replays);
});
