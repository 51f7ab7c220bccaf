import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import { ask, post, run, serve } from '../../server/topology-server.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A server whose query and mutation answer with the arguments that they got, as JSON text. */
function echo(args: string, nodes = ''): GqlServer {
  const show = (_: unknown, given: object) => JSON.stringify(given);
  return serve(
    `(size: Enum { values: [SMALL, LARGE] })
     (any: Scalar)
     (inner { x: Int })
     (point { lat: Float, lon: Float, name: String, size: Size })
     (deep { inner: Inner, tags: [String!], next: Deep })
     (bare)
     ${nodes}
     (root)-[:PROCESS { returns: String, ${args} }]->(show)
     (root)-[:FOLD { returns: String, ${args} }]->(change)`,
    { resolvers: { Query: { show }, Mutation: { change: show } } },
  );
}

/** The arguments that reached the resolver. */
async function got(server: GqlServer, query: string): Promise<unknown> {
  const { body, status } = await ask(server, `/api/show${query}`);
  return status === 200 ? JSON.parse(body) : body.detail;
}

describe('arguments in a query string', () => {
  test.each([
    ['a: Int!', '?a=7', { a: 7 }],
    ['a: Int!', '?a=-2147483648', { a: -2147483648 }],
    ['a: Float', '?a=1.5e3', { a: 1500 }],
    ['a: Boolean', '?a=true', { a: true }],
    ['a: String', '?a=', { a: '' }],
    ['a: String', '?a=a+b%20c%C3%A4', { a: 'a b cä' }],
    ['a: ID', '?a=007', { a: '007' }],
    ['a: Size', '?a=LARGE', { a: 'LARGE' }],
    ['a: Any', '?a=5', { a: '5' }],
    ['a: [Int!]', '?a=1&a=2', { a: [1, 2] }],
    ['a: [Size]', '?a=SMALL', { a: ['SMALL'] }],
    ...['Int!', 'Float', 'Boolean', 'String!', 'ID', 'Size!', 'Any'].map((item): [string, string, object] => [
      `a: [${item}]!`,
      '?a=',
      { a: [] },
    ]),
    ['a: [Int!] = [1]', '?a=', { a: [] }],
    ['a: [String]', '?a=&a=', { a: ['', ''] }],
    ['a: Point', '?a[lat]=1&a[size]=SMALL', { a: { lat: 1, size: 'SMALL' } }],
    ['a: Point', '?a%5Blon%5D=2', { a: { lon: 2 } }],
    ['a: Point', '?a={"lat":1,"size":"SMALL"}', { a: { lat: 1, size: 'SMALL' } }],
    ['a: Point', '?a=null', { a: null }],
    ['a: Deep', '?a={"inner":{"x":1},"tags":["t"]}', { a: { inner: { x: 1 }, tags: ['t'] } }],
    ['a: Deep', '?a=null', { a: null }],
    ['a: [[Int]]', '?a=[[1],null]', { a: [[1], null] }],
    ['a: [Point!]!', '?a=[]', { a: [] }],
    ['a: [Point!]!', '?a=', { a: [] }],
    ['a: Int = 5', '', { a: 5 }],
    ['a: Int! = 5, b: Int', '?b=1', { a: 5, b: 1 }],
    ['a: Size! = LARGE', '', { a: 'LARGE' }],
    ['a: Int', '', {}],
  ])('%s %s', async (args, query, expected) => {
    expect(await got(echo(args), query)).toEqual(expected);
  });

  test.each([
    ['a: Int!', '', '“a” is missing.'],
    ['a: Point!', '', '“a” is missing.'],
    ['a: [Int!]!', '', '“a” is missing.'],
    ['a: Int!', '?a=x', '“a” must be a 32-bit integer, not "x".'],
    ['a: Int', '?a=', '“a” must be a 32-bit integer, not "".'],
    ['a: Int', '?a=1e2', '“a” must be a 32-bit integer, not "1e2".'],
    ['a: Int', '?a=2147483648', '“a” must be a 32-bit integer, not "2147483648".'],
    ['a: Int', '?a=100000000000000000000', '“a” must be a 32-bit integer, not "100000000000000000000".'],
    ['a: Float', '?a=1e999', '“a” must be a number, not "1e999".'],
    ['a: Boolean', '?a=TRUE', '“a” must be true or false, not "TRUE".'],
    ['a: Size', '?a=small', '“a” must be one of SMALL, LARGE, not "small".'],
    ['a: String', '?a=1&a=2', '“a” must be given once, not 2 times.'],
    ['a: [Int!]', '?a=1&a=x', '“a[1]” must be a 32-bit integer, not "x".'],
    ['a: Point', '?a[lat]=x', '“a[lat]” must be a number, not "x".'],
    ['a: Point', '?a[lat]=1&a[lat]=2', '“a[lat]” must be given once, not 2 times.'],
    ['a: Point', '?a[lta]=1', 'There is no parameter “a[lta]”. Did you mean “a[lat]”?'],
    ['a: Point', '?a=1', '“a” must be an object, not 1.'],
    ['a: Point', '?a={"lat":"x"}', '“a.lat” must be a number, not "x".'],
    ['a: Point', '?a={"lat":1}&a[lon]=2', '“a” must be given once: as JSON, or by its fields.'],
    ['a: Deep', '?a={', '“a” is not JSON.'],
    ['a: Deep', '?a=5', '“a” must be an object, not 5.'],
    ['a: Deep', '?a=["x"]', '“a” must be an object, not a list.'],
    ['a: Deep', '?a={"inner":{"y":1}}', 'There is no parameter “a.inner.y”. Did you mean “a.inner.x”?'],
    ['a: Deep', '?a={"tags":"t"}', '“a.tags” must be a list, not "t".'],
    ['a: Deep', '?a={"tags":[null]}', '“a.tags[0]” must not be null.'],
    ['a: Deep', '?a={"__proto__":1}', 'There is no parameter “a.__proto__”.'],
    ['userId: Int!', '?userid=1', 'There is no parameter “userid”. Did you mean “userId”?'],
    ['a: Int', '?fileds=a', 'There is no parameter “fileds”. Did you mean “fields”?'],
    ['a: Int', '?__proto__=1', 'There is no parameter “__proto__”.'],
    ['a: Int', '?constructor=1', 'There is no parameter “constructor”.'],
    ['id: Int', '?=1', 'There is no parameter “”.'],
    ['a: String', '?a=%ff', 'The query string is not percent-encoded UTF-8.'],
    ['a: String', '?a=%zz', 'The query string is not percent-encoded UTF-8.'],
    ['id: String!', `?id=1&b=${'x'.repeat(80)}`, 'There is no parameter “b”.'],
    ['a: Int', `?a=${'x'.repeat(80)}`, `“a” must be a 32-bit integer, not "${'x'.repeat(58)}….`],
  ])('%s %s is rejected', async (args, query, detail) => {
    const answer = await ask(echo(args), `/api/show${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400, detail });
  });

  test('a problem names the parameter', async () => {
    expect((await ask(echo('a: Deep'), '/api/show?a={"inner":{"x":"1"}}')).body.parameter).toBe('a.inner.x');
    expect((await ask(echo('a: Int'), '/api/show?b=1')).body.parameter).toBe('b');
  });

  test('arguments may be named like members of Object.prototype', async () => {
    const server = echo('constructor: String, toString: Odd', '(odd { constructor: String, valueOf: Int })');
    expect(await got(server, '?constructor=c&toString[valueOf]=1')).toEqual({
      constructor: 'c',
      toString: { valueOf: 1 },
    });
    expect(await got(server, '')).toEqual({});
    const query = 'query($t: OddInput) { show(toString: $t) }';
    const viaGraphQL = await post(server, '/graphql', { query, variables: { t: { valueOf: 2 } } });
    expect(JSON.parse(viaGraphQL.body.data.show)).toEqual({ toString: { valueOf: 2 } });
    expect(JSON.parse((await run(server, query, { t: null })).data.show)).toEqual({ toString: null });
    expect(JSON.parse((await run(server, query, undefined)).data.show)).toEqual({});
  });

  test('a value that is nested too deeply is rejected', async () => {
    const nested = `${'{"next":'.repeat(100)}{}${'}'.repeat(100)}`;
    expect((await ask(echo('a: Deep'), `/api/show?a=${nested}`)).body).toMatchObject({
      status: 400,
      parameter: 'a',
      detail: '“a” is nested more than 64 levels deep.',
    });
    const lists = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await post(echo('a: Any'), '/api/change', lists)).body).toMatchObject({
      status: 400,
      detail: 'The body is nested more than 64 levels deep.',
    });
    const flat = { a: Array.from({ length: 100 }, () => ['[{"\\']) };
    expect((await post(echo('a: Any'), '/api/change', flat)).status).toBe(200);
  });
});

describe('arguments in a body', () => {
  const change = async (args: string, body: unknown) => {
    const answer = await post(echo(args), '/api/change', body);
    return answer.status === 200 ? JSON.parse(answer.body) : answer.body.detail;
  };

  test.each([
    ['a: Int!', { a: 7 }, { a: 7 }],
    ['a: ID!', { a: 7 }, { a: '7' }],
    ['a: Float', { a: 1 }, { a: 1 }],
    ['a: String', { a: null }, { a: null }],
    ['a: [Deep]', { a: [null, { next: { tags: [] } }] }, { a: [null, { next: { tags: [] } }] }],
    ['a: Any', { a: { x: [1] } }, { a: { x: [1] } }],
    ['a: Int = 5', {}, { a: 5 }],
    ['a: Int = 5', { a: null }, { a: null }],
  ])('%s %j', async (args, body, expected) => {
    expect(await change(args, body)).toEqual(expected);
  });

  test.each([
    ['a: Int!', {}, '“a” is missing.'],
    ['a: Int!', { a: null }, '“a” must not be null.'],
    ['a: Int! = 5', { a: null }, '“a” must not be null.'],
    ['a: Int', { a: '7' }, '“a” must be a 32-bit integer, not "7".'],
    ['a: Int', { a: 1.5 }, '“a” must be a 32-bit integer, not 1.5.'],
    ['a: String', { a: 7 }, '“a” must be a string, not 7.'],
    ['a: Boolean', { a: 'true' }, '“a” must be true or false, not "true".'],
    ['a: Size', { a: 'HUGE' }, '“a” must be one of SMALL, LARGE, not "HUGE".'],
    ['a: Size', { a: {} }, '“a” must be one of SMALL, LARGE, not an object.'],
    ['a: [Int]', { a: 1 }, '“a” must be a list, not 1.'],
    ['id: Int', { b: 1 }, 'There is no parameter “b”.'],
    ['a: Int', '{"__proto__":{"a":1}}', 'There is no parameter “__proto__”.'],
    ['a: Int', '{"constructor":1}', 'There is no parameter “constructor”.'],
    ['a: Int', '{', 'The body is not JSON.'],
    ['a: Int', '[]', 'The body must be a JSON object of the arguments.'],
    ['a: Int', 'null', 'The body must be a JSON object of the arguments.'],
    ['a: Int', '"x"', 'The body must be a JSON object of the arguments.'],
  ])('%s %j is rejected', async (args, body, detail) => {
    expect(await change(args, body)).toBe(detail);
  });

  const send = (headers: Record<string, string>, body: BodyInit | null) =>
    ask(echo('a: String'), '/api/change', { method: 'POST', headers, body });

  test.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON;charset="UTF-8"']])(
    '%s is JSON',
    async (type) => {
      expect((await send({ 'content-type': type }, '{"a":"ä"}')).body).toBe('{"a":"ä"}');
    },
  );

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/jsonp'],
  ])('%s is 415', async (type) => {
    const answer = await send({ 'content-type': type }, '{"a":"x"}');
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-post')).toBe('application/json');
    expect(answer.body.detail).toBe(`The body must be application/json, not ${type}.`);
  });

  test('a compressed body is 415', async () => {
    expect((await send({ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'x')).status).toBe(415);
  });

  test('a body that is not UTF-8 is 400', async () => {
    const answer = await send({ 'content-type': 'application/json' }, new Uint8Array([0x22, 0xff, 0x22]));
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toBe('The body is not UTF-8.');
  });

  test('a request without a body has no arguments', async () => {
    expect((await send({}, null)).body).toBe('{}');
    expect((await send({ 'content-type': 'application/json' }, '')).body).toBe('{}');
    expect((await send({ origin: 'http://test.local' }, null)).status).toBe(200);
  });

  test('a page of another site cannot post without a content type', async () => {
    expect((await send({ origin: 'https://evil.example' }, null)).status).toBe(415);
    expect((await send({ origin: 'null' }, null)).status).toBe(415);
    expect((await send({}, new Uint8Array([0x7b, 0x7d]))).status).toBe(415);
  });

  test('a body of more than 1 MiB is 413, with and without content-length', async () => {
    const text = JSON.stringify({ a: 'x'.repeat(1024 * 1024) });
    expect((await post(echo('a: String'), '/api/change', text)).status).toBe(413);
    const declared = await send({ 'content-type': 'application/json', 'content-length': '99999999' }, '{}');
    expect(declared.status).toBe(413);
    const fitting = JSON.stringify({ a: 'x'.repeat(1024 * 1024 - 8) });
    expect((await post(echo('a: String'), '/api/change', fitting)).status).toBe(200);
  });

  test('the query string of a POST may contain only fields', async () => {
    const answer = await ask(echo('a: String'), '/api/change?a=1', { method: 'POST' });
    expect(answer.body).toMatchObject({ status: 400, parameter: 'a' });
  });
});

describe('methods', () => {
  const server = () =>
    serve("(root)-[:PROCESS]->(both { x: 1 })\n(form { a: Int })-[:FOLD]->(both)\n(form)-[:FOLD]->(only { y: 'ä' })");

  test('a query and a mutation of one name share a route', async () => {
    expect((await ask(server(), '/api/both')).body).toEqual({ x: 1 });
    expect((await post(server(), '/api/both', {})).body).toEqual({ x: 1 });
    const answer = await ask(server(), '/api/both', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'])('%s of a mutation is 405', async (method) => {
    const answer = await ask(server(), '/api/only', { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    expect(answer.text === '').toBe(method === 'HEAD');
  });

  test('HEAD has the headers of GET and no body', async () => {
    const get = await ask(server(), '/api/both');
    const head = await ask(server(), '/api/both', { method: 'HEAD' });
    expect(head.text).toBe('');
    expect([...head.headers]).toEqual([...get.headers]);
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
  });

  test('content-length counts bytes', async () => {
    const answer = await post(server(), '/api/only', {});
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength('{"y":"ä"}')));
  });

  test('an unknown route is 404 with a suggestion', async () => {
    expect((await ask(server(), '/api/onyl')).body).toMatchObject({
      status: 404,
      detail: 'There is nothing at /api/onyl. Did you mean /api/only?',
    });
    for (const path of ['/api/', '/api/__proto__', '/api/constructor', '/api/%zz', '/api/both/', '/api']) {
      expect((await ask(server(), path)).status).toBe(404);
    }
  });
});

describe('results', () => {
  const source = `
    (root)-[:PROCESS]->(user { id: ID!, name: String!, address: Address, friends: [User!], pet: Pet })
    (address { city: String, country: Country })
    (country { code: String })
    (cat { name: String!, lives: Int })
    (dog { name: Boolean, barks: Int })
    (cat | dog)-[:RACE]->(pet)
    (root)-[:PROCESS]->(pet)
    (root)-[:PROCESS { returns: Int, operation: 'count' }]->(user)
    (root)-[:PROCESS { fields: String, operation: 'plain' }]->(address)
  `;
  const user = {
    id: 1,
    name: 'Ada',
    address: { city: 'Ulm', country: { code: 'DE' } },
    friends: [{ id: 2, name: 'Bo' }],
    pet: { __typename: 'Dog', name: true, barks: 3 },
  };
  const resolvers = {
    Query: {
      user,
      pet: { __typename: 'Cat', name: 'Tom' },
      count: 3,
      plain: (_: unknown, { fields }: { fields?: string }) => ({ city: fields ?? 'none' }),
    },
  };
  const server = () => serve(source, { resolvers });

  test('are the default selection, under the original names of the fields', async () => {
    expect((await ask(server(), '/api/user')).body).toMatchObject({
      id: '1',
      address: { city: 'Ulm', country: { code: 'DE' } },
      friends: [{ id: '2', name: 'Bo' }],
      pet: { __typename: 'Dog', name: true, barks: 3 },
    });
    expect((await ask(server(), '/api/count')).text).toBe('3');
  });

  test('that are null have status 200', async () => {
    const none = serve(source, { resolvers: { Query: { user: () => null } } });
    const answer = await ask(none, '/api/user');
    expect([answer.status, answer.text]).toEqual([200, 'null']);
  });

  test.each([
    ['id', { id: '1' }],
    ['name,id', { name: 'Ada', id: '1' }],
    ['address.city', { address: { city: 'Ulm' } }],
    ['address', { address: { city: 'Ulm', country: { code: 'DE' } } }],
    ['address.country.code,address.city', { address: { country: { code: 'DE' }, city: 'Ulm' } }],
    ['__typename,friends.id', { __typename: 'User', friends: [{ id: '2' }] }],
    ['pet.barks', { pet: { __typename: 'Dog', barks: 3 } }],
    ['pet.lives', { pet: { __typename: 'Dog' } }],
    ['pet.name', { pet: { __typename: 'Dog', name: true } }],
    ['pet.__typename', { pet: { __typename: 'Dog' } }],
    ['id&fields=name', { id: '1', name: 'Ada' }],
  ])('are narrowed by fields=%s', async (fields, expected) => {
    expect((await ask(server(), `/api/user?fields=${fields}`)).body).toEqual(expected);
  });

  test.each([
    ['user', 'nam', 'There is no field “nam”. Did you mean “name”?'],
    ['user', 'address.cty', 'There is no field “address.cty”. Did you mean “address.city”?'],
    ['user', 'name.first', '“name” is of type String, which has no fields.'],
    ['user', 'pet.wings', 'There is no field “pet.wings”.'],
    ['user', '__typename.x', 'There is no field “__typename”.'],
    ['user', 'constructor', 'There is no field “constructor”.'],
    ['user', '__proto__', 'There is no field “__proto__”.'],
    ['user', '', '“fields” names no field.'],
    ['user', 'id,,name', '“fields” names no field.'],
    ['user', `${'friends.'.repeat(12)}id`, `“${'friends.'.repeat(12)}id” has more than 12 levels.`],
    ['count', 'x', 'Int has no fields.'],
  ])('of %s cannot be narrowed by fields=%s', async (route, fields, detail) => {
    expect((await ask(server(), `/api/${route}?fields=${fields}`)).body).toMatchObject({
      status: 400,
      parameter: 'fields',
      detail,
    });
  });

  test('are not narrowed if an argument is called fields', async () => {
    expect((await ask(server(), '/api/plain?fields=city')).body).toEqual({ city: 'city', country: null });
  });

  test('do not use memory for every requested narrowing', async () => {
    const one = server();
    for (let at = 0; at < 120; at++) {
      const answer = await ask(
        one,
        `/api/user?fields=id${',name'.repeat(at % 3)},friends${'.friends'.repeat(at % 9)}.id`,
      );
      expect(answer.status).toBe(200);
      expect((await ask(one, `/api/user?fields=${'id,'.repeat(at)}id`)).body).toEqual({ id: '1' });
    }
  });
});

describe('errors of resolvers', () => {
  const source = '(root)-[:PROCESS]->(user { id: ID, name: String, a: Int, b: Int })';
  const failing = (error: unknown) => serve(source, { resolvers: { Query: { user: () => Promise.reject(error) } } });

  test.each([
    ['BAD_USER_INPUT', 400],
    ['UNAUTHENTICATED', 401],
    ['FORBIDDEN', 403],
    ['NOT_FOUND', 404],
    ['NOT_IMPLEMENTED', 501],
    ['SOMETHING_ELSE', 500],
    [undefined, 500],
  ])('with the code %s have status %i', async (code, status) => {
    const extensions = { ...(code === undefined ? {} : { code }), status: 1, hint: 'x' };
    const answer = await ask(failing(new GraphQLError('No luck', { extensions })), '/api/user');
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      status,
      detail: 'No luck',
      hint: 'x',
      ...(code === undefined ? {} : { code }),
    });
  });

  test('that are unexpected have status 500, and are logged on the console', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const fault = new Error('password is swordfish');
    const answer = await ask(failing(fault), '/api/user');
    expect(answer.body).toMatchObject({ status: 500, detail: fault.message, code: 'INTERNAL_SERVER_ERROR' });
    expect(log).toHaveBeenCalledWith(expect.stringContaining('Query.user ('), fault);
  });

  test('that are unexpected are masked in production, over REST, GraphQL and in process', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.stubEnv('NODE_ENV', 'production');
    const server = failing(new Error('password is swordfish'));
    vi.unstubAllEnvs();
    const answers = [
      (await ask(server, '/api/user')).text,
      (await post(server, '/graphql', { query: '{ user { id } }' })).text,
      JSON.stringify(await run(server, '{ user { id } }')),
    ];
    for (const text of answers) {
      expect(text).toContain('Unexpected error.');
      expect(text).not.toContain('swordfish');
    }
    const { errors } = await run(server, '{ me: user { id } }');
    expect(errors[0].path).toEqual(['me']);
  });

  test('for clients are not masked in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const server = failing(new GraphQLError('Who are you?', { extensions: { code: 'UNAUTHENTICATED' } }));
    vi.unstubAllEnvs();
    expect((await ask(server, '/api/user')).body).toMatchObject({ status: 401, detail: 'Who are you?' });
    expect((await post(server, '/graphql', { query: '{ user { id } }' })).text).toContain('Who are you?');
  });

  test('are all listed, and the first one sets the status', async () => {
    const server = serve(source, {
      resolvers: {
        Query: { user: {} },
        User: {
          a: () => {
            throw new GraphQLError('not a', { extensions: { code: 'NOT_FOUND' } });
          },
          b: () => {
            throw new GraphQLError('not b', { extensions: { code: 'FORBIDDEN' } });
          },
        },
      },
    });
    expect((await ask(server, '/api/user')).body).toMatchObject({
      status: 404,
      detail: 'not a',
      errors: [
        { detail: 'not a', path: ['user', 'a'], code: 'NOT_FOUND' },
        { detail: 'not b', path: ['user', 'b'], code: 'FORBIDDEN' },
      ],
    });
  });
});
