import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DemoTraffic } from '../../../../src/tools/workflows/demo/demo-traffic.js';
import { type Documents, documentsOf, whileServed } from '../served-example.js';

const topology = `
(book { id: ID!, title: String! })
(new_book: Input { title: String! })
(root)-[:PROCESS { id: ID! }]->(book)
(new_book)-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
(book)-[:FORK]->(book_added { id: ID!, title: String! })
`;

/** A server whose resolvers note their calls, and traffic that is closed after the test. */
function library() {
  const calls: string[] = [];
  const titles = new Set<string>();
  const resolvers = {
    Query: {
      book: (_: unknown, { id }: { readonly id: string }) => {
        calls.push(`book ${id}`);
        return { id, title: 'Emma' };
      },
    },
    Mutation: {
      addBook: (_: unknown, { input: { title } }: { readonly input: { readonly title: string } }) => {
        calls.push('addBook');
        titles.add(title);
        return { id: 'new', title };
      },
    },
  };
  const topologies = [{ name: 'test.gg', source: topology }];
  const { schema } = documentsOf(topologies) as Documents;
  const faults: unknown[] = [];
  const traffic = new DemoTraffic(
    () => performance.now(),
    (error) => void faults.push(error),
    0,
  );
  onTestFinished(() => traffic.close());
  const apiAt = (origin: string) => ({ schema, origin, callers: [], owners: undefined });
  return { options: { topologies, resolvers }, calls, faults, titles, traffic, apiAt };
}

test('calls all operations with ids of earlier answers, and mutations with other values from the second round on', async () => {
  const { options, calls, titles, traffic, apiAt } = library();
  await whileServed(options, async (origin) => {
    traffic.follow(apiAt(origin));
    await expect.poll(() => titles.size, { timeout: 60_000 }).toBeGreaterThan(1);
    traffic.close();
  });
  expect(new Set(calls)).toEqual(new Set(['addBook', 'book new']));
});

test('calls the API of the last save, even if all calls before have failed', async () => {
  const { options, calls, traffic, apiAt } = library();
  // Nothing listens there: calls that fail do not end the traffic.
  traffic.follow(apiAt('http://127.0.0.1:1'));
  await whileServed(options, async (origin) => {
    traffic.follow(apiAt(origin));
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
    traffic.close();
  });
});

test('calls the API of the next save after one that cannot be called', async () => {
  const { options, calls, faults, traffic, apiAt } = library();
  await whileServed(options, async (origin) => {
    const broken = { ...apiAt(origin), schema: undefined as never };
    traffic.follow(broken);
    await expect.poll(() => faults.length).toBe(1);
    traffic.follow(apiAt(origin));
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
    traffic.close();
  });
  expect(faults).toHaveLength(1);
});

test('does not follow an answer to another address', async () => {
  const { options, traffic, apiAt } = library();
  let asked = 0;
  const elsewhere = createServer((_, response) => {
    asked += 1;
    response.end('{}');
  });
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  onTestFinished(() => void elsewhere.close());
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  let answered = 0;
  const onRequest = () => {
    answered += 1;
    return new Response(null, { status: 307, headers: { location } });
  };
  await whileServed({ ...options, hooks: [{ onRequest }] }, async (origin) => {
    traffic.follow(apiAt(origin));
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(3);
    traffic.close();
  });
  expect(asked).toBe(0);
});
