import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, serve } from '../../server/topology-server.js';

const echo = (_: unknown, args: object) => JSON.stringify(args);

const server = serve(
  `(part: Input { name: String!, count: Int, tags: [Int!], inner: Part })
   (root)-[:FOLD { id: Int!, first: Part!, second: [Part!], returns: String, route: 'PUT /parts/{id}' }]->(saved)
   (root)-[:PROCESS { id: Int!, size: Int!, loud: Boolean, returns: String, route: 'GET /parts/{id}' }]->(read)`,
  { resolvers: { Query: { read: echo }, Mutation: { saved: echo } } },
);

const put = (path: string, body: unknown) =>
  ask(server, path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

interface Planted {
  readonly value: unknown;
  /** The pointers of its mistakes below the value, each with its code. */
  readonly mistakes: readonly (readonly [pointer: string, code: string])[];
}

const invalid = 'INVALID_ARGUMENT';
const broken = 'BAD_USER_INPUT';

/** A part, and the mistakes that it has been given. */
const part = fc.letrec<{ part: Planted; inner: Planted | undefined }>((tie) => ({
  inner: fc.option(tie('part'), { nil: undefined, depthSize: 'small' }),
  part: fc
    .record({
      name: fc.constantFrom('a', 5, null, undefined),
      count: fc.constantFrom(1, 'x', 1.5, undefined),
      tags: fc.option(fc.array(fc.constantFrom<unknown>(1, 'x', null), { maxLength: 3 }), { nil: undefined }),
      extra: fc.constantFrom(undefined, 1),
      inner: tie('inner'),
    })
    .map(({ name, count, tags, extra, inner }): Planted => {
      const given = { name, count, tags, 'ex/tra~ é': extra, inner: inner?.value };
      return {
        value: JSON.parse(JSON.stringify(given)) as unknown,
        mistakes: [
          ...(extra === undefined ? [] : [['/ex~1tra~0%20%C3%A9', 'UNKNOWN_ARGUMENT'] as const]),
          ...(name === 'a' ? [] : [['/name', name === undefined ? 'MISSING_ARGUMENT' : invalid] as const]),
          ...(count === 1 || count === undefined ? [] : [['/count', invalid] as const]),
          ...(tags ?? []).flatMap((tag, at) => (tag === 1 ? [] : [[`/tags/${at}`, invalid] as const])),
          ...(inner?.mistakes ?? []).map(([pointer, code]) => [`/inner${pointer}`, code] as const),
        ],
      };
    }),
})).part;

const below = (place: string, { mistakes }: Planted) =>
  mistakes.map(([pointer, code]) => `#${place}${pointer} ${code}`);
const told = (errors: readonly { pointer: string; code: string }[]) =>
  errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('the answer to invalid arguments', () => {
  test('lists the mistakes of the path and the body, each once', async () => {
    const second = fc.array(part, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('7', 'x'), part, second, async (id, first, others) => {
        const values = others.map(({ value }) => value);
        const answer = await put(`/parts/${id}`, { first: first.value, second: values });
        const expected = [
          ...(id === '7' ? [] : [`#/id ${invalid}`]),
          ...below('/first', first),
          ...others.flatMap((other, at) => below(`/second/${at}`, other)),
        ];
        expect(answer.status).toBe(expected.length === 0 ? 200 : 400);
        if (expected.length === 0) return;
        const { errors, detail } = answer.body;
        expect(told(errors)).toEqual(expected.slice(0, 100));
        expect(detail).toBe(errors[0].detail);
      }),
      { numRuns: 60 },
    );
  });

  test('lists those of the path and the query string', async () => {
    const { status, body } = await ask(server, '/parts/x?loud=perhaps&loud=true&colour=red');
    expect([status, body.parameter]).toEqual([400, 'id']);
    expect(told(body.errors)).toEqual([
      `#/id ${invalid}`,
      `#/loud ${invalid}`,
      '#/colour UNKNOWN_ARGUMENT',
      '#/size MISSING_ARGUMENT',
    ]);
  });

  test('lists wrong names in ?fields= beside wrong arguments', async () => {
    const shop = serve(
      `(size { width: Int, height: Int })
       (part { id: ID!, size: Size })
       (root)-[:PROCESS { count: Int!, returns: Part }]->(part)
       (root)-[:FORK { count: Int }]->(told: Event { count: Int })`,
      { resolvers: { Query: { part: () => null } } },
    );
    const wrong = await ask(shop, '/api/part?fields=ix,size.depth,id.x,ix,size.width&count=x&sort=1');
    expect(told(wrong.body.errors)).toEqual([
      `#/count ${invalid}`,
      '#/sort UNKNOWN_ARGUMENT',
      `#/fields ${invalid}`,
      `#/fields ${invalid}`,
      `#/fields ${invalid}`,
    ]);
    const alone = await ask(shop, '/api/part?count=1&fields=ix,size.depth,id.x');
    expect([alone.status, alone.body.parameter, alone.body.detail]).toEqual([
      400,
      'fields',
      'There is no field “ix”. Did you mean “id”?',
    ]);
    expect(alone.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      'There is no field “ix”. Did you mean “id”?',
      'There is no field “size.depth”.',
      '“id” is of type ID, which has no fields.',
    ]);
    const many = Array.from({ length: 150 }, (_, at) => `x${at}`).join();
    expect((await ask(shop, `/api/part?count=x&fields=${many}`)).body.errors).toHaveLength(100);
    const events = await ask(shop, '/api/told?fields=a,b&count=x', {
      headers: { accept: 'text/event-stream' },
    });
    expect(told(events.body.errors)).toEqual([`#/count ${invalid}`, `#/fields ${invalid}`, `#/fields ${invalid}`]);
  });

  test('lists the values that break their constraints, beside those of another type', async () => {
    const limited = serve(
      `(line: Input {
          /// @minimum 1
          count: Int!,
          /// @notNull
          note: String,
          /// @maxLength 2
          tags: [String!],
        })
        (root)-[:FOLD { lines: [Line!]!, loud: Boolean, returns: String }]->(saved)
        (root)-[:PROCESS { loud: Boolean, page: 2, returns: [Saved!]! }]->(saved)`,
      { resolvers: { Query: { saved: () => [] }, Mutation: { saved: echo } } },
    );
    const post = (body: unknown) =>
      ask(limited, '/api/saved', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { status, body } = await post({
      lines: [
        { count: 0, note: 5 },
        { count: 'x', note: null },
      ],
      loud: 1,
    });
    expect([status, body.parameter]).toEqual([400, 'lines[0].note']);
    expect(told(body.errors)).toEqual([
      `#/lines/0/note ${invalid}`,
      `#/lines/1/count ${invalid}`,
      `#/loud ${invalid}`,
      '#/lines/0/count BAD_USER_INPUT',
      '#/lines/1/note BAD_USER_INPUT',
    ]);
    const many = await post({
      lines: [{ count: 1, tags: Array.from({ length: 150 }, () => 'long') }],
      loud: 1,
    });
    expect(many.body.errors).toHaveLength(100);
    // Without constraints, and of the window of a page.
    expect(told((await ask(limited, '/api/saved?loud=1')).body.errors)).toEqual([`#/loud ${invalid}`]);
    expect(told((await ask(limited, '/api/saved?first=1001')).body.errors)).toEqual(['#/first BAD_USER_INPUT']);
  });

  test('lists those of a page, alone, beside others, and beside those of another operation', async () => {
    const paged = serve(
      `(thing { id: ID! })
       (root)-[:PROCESS { operation: 'things', returns: [Thing!]!, page: 5 }]->(thing)
       (root)-[:PROCESS { /// @minimum 3
         n: Int!, returns: String }]->(limited)`,
      { resolvers: { Query: { things: () => [], limited: () => 'x' } } },
    );
    const ofPage = [`#/last ${broken}`, `#/after ${broken}`];
    const alone = await ask(paged, '/api/things?first=1&last=2000&after=x');
    expect(told(alone.body.errors)).toEqual(ofPage);
    expect(alone.body.errors[0].detail).toBe('“last” cannot be given together with “first”.');
    const beside = await ask(paged, '/api/things?first=5000&last=x&before=x&other=1');
    expect(told(beside.body.errors)).toEqual([
      `#/last ${invalid}`,
      '#/other UNKNOWN_ARGUMENT',
      `#/first ${broken}`,
      `#/before ${broken}`,
    ]);
    const refused = async (query: string) => {
      const headers = { 'content-type': 'application/json' };
      const { body } = await ask(paged, '/graphql', {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      return body.errors.map(({ message }: { message: string }) => message);
    };
    expect(await refused('{ things(first: -1) { edges { cursor } } limited(n: 1) }')).toEqual([
      '“first” must not be negative.',
      '“n” must be at least 3.',
    ]);
    expect(
      await refused(
        '{ a: things(first: -1) { edges { cursor } } b: things(last: -1, after: "x") { edges { cursor } } }',
      ),
    ).toEqual(['“first” must not be negative.', '“last” must not be negative.']);
  });

  test('has at most 100', async () => {
    const tags = Array.from({ length: 1000 }, () => 'x');
    const { body } = await put('/parts/7', { first: { name: 'a', tags } });
    expect(body.errors).toHaveLength(100);
    expect(body.errors[99]).toMatchObject({ pointer: '#/first/tags/99', code: invalid });
  });
});
