import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { signalOf } from '../../../src/runtime/execute/resolvers/abort-signal.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import { type Documents, documentsOf, runAll, whileServed } from './served-example.js';

/** Serves a topology, and runs its workflows: each with what became of its steps. */
async function run(
  source: string,
  resolvers: object,
  inputs: Readonly<Record<string, string>> = {},
  options: object = {},
  timeout = 120_000,
) {
  const topologies = [{ name: 'test.gg', source }];
  const documents = documentsOf(topologies) as Documents;
  const results = await whileServed({ topologies, resolvers: resolvers as Resolvers, ...options }, (origin) =>
    runAll(documents, origin, inputs, timeout),
  );
  return results.map(({ workflow, steps }) => [
    workflow,
    ...steps.map(({ outcome, events, problems }) => [outcome, ...events, ...problems].join(', ')),
  ]);
}

describe('a workflow', () => {
  it('sends arguments in the path, in lists and in the query string in the form that the server expects', async () => {
    const given: unknown[] = [];
    const note = (_: unknown, args: object) => {
      given.push(args);
      return true;
    };
    const results = await run(
      `(point: Input { x: Float!, y: Float! }) (thing { id: ID! })
       (root)-[:FOLD { operation: 'drop', key: ID!, tags: [String!]!, route: 'DELETE /things/{key}', returns: Boolean!, status: 204 }]->(thing)
       (root)-[:PROCESS { operation: 'near', at: Point!, on: Boolean!, returns: Boolean! }]->(thing)`,
      { Mutation: { drop: note }, Query: { near: note } },
      { key: 'a/b?c', tags: '["x y", "&"]', at_x: '2.5', on: 'false' },
    );
    expect(results).toEqual([
      ['drop', 'passed'],
      ['near', 'passed'],
    ]);
    expect(given).toMatchObject([
      { key: 'a/b?c', tags: ['x y', '&'] },
      { at: { x: 2.5 }, on: false },
    ]);
  });

  it('fails at the step that lacks an id, not at the one that did not return it', async () => {
    const source = `
      (author { id: ID! }) (book { id: ID! })
      (root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)
      (new_book: Input { authorId: ID! })-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
    `;
    const addBook = () => ({ id: '1' });
    expect(await run(source, { Query: { authors: () => [] }, Mutation: { addBook } })).toEqual([
      ['addBook', 'passed', 'failed, $steps.authors.outputs.authorId has no value'],
    ]);
  });

  it('does not expect an event for an unpublished result: null, or an empty list', async () => {
    const source = `
      (made { id: ID! }) (many { id: ID! })
      (one: Input { n: Int })-[:FOLD { operation: 'makeOne', returns: Made }]->(made)
      (two: Input { n: Int })-[:FOLD { operation: 'makeMany', returns: [Many!]! }]->(many)
      (made)-[:FORK]->(was_made: Event { id: ID! })
      (many)-[:FORK]->(were_made: Event { id: ID! })
    `;
    const none = { makeOne: () => null, makeMany: () => [] };
    expect(await run(source, { Mutation: none })).toEqual([
      ['makeOne', 'passed'],
      ['makeMany', 'passed'],
    ]);
    const some = { makeOne: () => ({ id: '1' }), makeMany: () => [{ id: '1' }, { id: '2' }] };
    expect(await run(source, { Mutation: some })).toEqual([
      ['makeOne', 'passed, wasMade'],
      ['makeMany', 'passed, wereMade'],
    ]);
  });

  it('takes the id of a step from its fallback, which is no step itself', async () => {
    const source = `
      (author { id: ID! }) (book { id: ID! })
      (root)-[:PROCESS { operation: 'authors', returns: [Author!]! }]->(author)
      (root)-[:PROCESS { operation: 'knownAuthors', returns: [Author!]!, internal: true }]->(known)
      (author)-[:VENT { fallback: true }]->(known)
      (new_book: Input { authorId: ID! })-[:FOLD { operation: 'addBook', returns: Book! }]->(book)
    `;
    const given: string[] = [];
    const addBook = (_: unknown, { input }: { input: { authorId: string } }) => {
      given.push(input.authorId);
      return { id: '1' };
    };
    const authors = () => Promise.reject(new Error('down'));
    const Query = { authors, knownAuthors: () => [{ id: '7' }] };
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    expect(await run(source, { Query, Mutation: { addBook } })).toEqual([['addBook', 'passed', 'passed']]);
    expect(given).toEqual(['7']);
  });

  it('sends a new idempotency key with each run, and another one with each step', async () => {
    const source = `
      (made { id: ID! }) (signed { id: ID! })
      (form: Input { name: String! })-[:FOLD { operation: 'make', returns: Made!, idempotent: 'required' }]->(made)
      (sign: Input { madeId: ID! })-[:FOLD { operation: 'sign', returns: Signed!, idempotent: 'required' }]->(signed)
    `;
    let ran = 0;
    const make = () => {
      ran += 1;
      return { id: String(ran) };
    };
    const authenticate = () => ({ id: 'ada' });
    const runs = () => run(source, { Mutation: { make, sign: make } }, {}, { authenticate });
    expect([...(await runs()), ...(await runs())]).toEqual([
      ['sign', 'passed', 'passed'],
      ['sign', 'passed', 'passed'],
    ]);
    expect(ran).toBe(4);
  });

  it('reports the error message of the server', async () => {
    const missing = await run('(root)-[:PROCESS]->(thing { id: ID!, at: Int! })', {
      Query: { thing: () => ({ id: '1' }) },
    });
    expect(missing[0]?.[1]).toMatch(/^failed, the server says: .*\$statusCode is 500, expected 200$/);
  });

  it('fails at the timeout even if the garbage collector takes the signals that nothing refers to', async () => {
    // A signal that was garbage-collected inside `AbortSignal.any`: it never fires.
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    onTestFinished(() => spy.mockRestore());
    let signal: AbortSignal | undefined;
    // The time passes when the server has the request.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const thing = (_: unknown, _args: object, _context: unknown, info: GraphQLResolveInfo) => {
      signal = signalOf(info);
      setImmediate(() => {
        vi.advanceTimersByTime(2_000);
        vi.useRealTimers();
      });
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(null)));
    };
    const source = '(root)-[:PROCESS]->(thing { id: ID! })';
    const results = await run(source, { Query: { thing } }, {}, {}, 2_000);
    expect(results).toEqual([['thing', 'failed, no answer within 2000 ms']]);
    // The request was given up as well.
    await vi.waitUntil(() => signal?.aborted, { timeout: 120_000 });
  });
});
