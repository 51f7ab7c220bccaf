import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';

/** The import of a collection with these requests. */
function importOf(item: readonly object[], more: object = {}) {
  const text = JSON.stringify({ info: { name: 'Test' }, item, ...more });
  const { value, diagnostics } = importDescription(createSourceFile('collection.json', text));
  expect(diagnostics).toEqual([]);
  const { text: topology = '', losses = [] } = value ?? {};
  expect(compile(topology).ok).toBe(true);
  return { topology, losses };
}

function get(url: unknown, more: object = {}): object {
  return {
    name: 'Find it',
    request: { method: 'GET', url, ...more },
    response: [{ code: 200, body: '{"id":"1"}' }],
  };
}

describe('the route of a request', () => {
  test.each([
    ['GET /a/{b}/c', '{{base}}/a/:b/c'],
    ['GET /a/{b}', 'https://example.com:8080/a/{{b}}#part'],
    ['GET /a/{b}', { raw: 'x', host: ['{{base}}'], path: ['a', ':b'] }],
    ['GET /a/{b}', { raw: 'x', host: ['{{base}}'], path: ['a', { value: ':b' }] }],
    ['GET /a', { host: '{{base}}', path: 'a' }],
    ['GET /a/@me', '{{base}}/a/@me'],
    ['GET /a/{b}.json', '{{base}}/a/{{b}}.json'],
    ['GET /a/x.{b}', { raw: 'x', host: ['{{base}}'], path: ['a', ':x%2E{b}'] }],
    ['GET /a/{b}.json', '{{base}}/a/:b.json'],
    ['GET /{b}...{c}', '{{base}}/{{b}}...{{c}}'],
  ])('is %s: %j', (route, url) => {
    expect(importOf([get(url)]).topology).toContain(`route: '${route}'`);
  });

  test('is the default one for a path that routes cannot have', () => {
    const { topology, losses } = importOf([get('{{base}}/a b')]);
    expect(topology).not.toContain('route:');
    expect(losses).toContainEqual(expect.objectContaining({ place: '#/item/0/request', subject: 'route GET /a b' }));
  });
});

test('gives arguments the types of the values in the request', () => {
  const query = Object.entries({ count: '3', ratio: '1.5', isOpen: 'true', code: '007', given: '{{x}}' });
  const url = {
    path: ['a'],
    query: query.map(([key, value]) => ({ key, value, description: `The ${key}.` })),
  };
  const { topology } = importOf([get(url)]);
  for (const argument of ['count: Int', 'ratio: Float', 'isOpen: Boolean', 'code: String', 'given: String']) {
    expect(topology).toContain(`/// The ${argument.split(':')[0]}.\n  ${argument},`);
  }
});

test('reads arguments from a JSON body, and the result from a response', () => {
  const item = {
    name: 'Place order',
    request: {
      method: 'POST',
      url: '{{base}}/orders',
      body: { mode: 'raw', raw: '{"lines":[{"n":1},{"sku":"a"}],"by":{{user}}}' },
    },
    response: [
      { code: 404, body: '{}' },
      { code: 201, body: '[{"id":"1"},{"id":null,"total":2},{"total":2.5}]' },
    ],
  };
  const { topology } = importOf([item]);
  expect(topology).toMatch(/\(place_order_lines_item: Input \{[\s\S]*n: Int,\n {2}sku: String,\n\}\)/);
  expect(topology).toContain('(place_order_result_item { id: ID, total: Float })');
  expect(topology).toMatch(/returns: \[PlaceOrderResultItem!\],[\s\S]*lines: \[PlaceOrderLinesItem!\],\n? *by: JSON/);
});

test('reads JSON bodies with comments', () => {
  const raw = '{ // "note"\n "url": "http://a/*b*/", /* more */ "n": {{n}} }';
  const item = { name: 'Add', request: { method: 'POST', url: '{{base}}/a', body: { mode: 'raw', raw } } };
  expect(importOf([item]).topology).toMatch(/url: String,\s+n: JSON/);
});

describe('requests of one method and path', () => {
  const post = (name: string, body: object, responses: readonly object[] = []) => ({
    name,
    request: {
      method: 'POST',
      url: `{{base}}/orders/:${name}?page=1`,
      body: { mode: 'raw', raw: JSON.stringify(body) },
    },
    response: responses,
  });
  const saved = (url: string, body: object, answer: object) => ({
    code: 201,
    originalRequest: { method: 'POST', url, body: { mode: 'raw', raw: JSON.stringify(body) } },
    body: JSON.stringify(answer),
  });

  test('become one operation with the arguments and the result of all their calls', () => {
    const { topology, losses } = importOf([
      post('card', { card: 'a', n: 1 }, [
        { code: 401, body: '{"error":"no"}' },
        saved('{{base}}/orders/7?page=2.5', { card: 1, big: 3 }, { id: 'a' }),
        saved('{{base}}/orders/8?size=1', { card: true, big: 5000000000 }, { total: 2 }),
      ]),
      post('wallet', { wallet: 'b', n: 1.5 }),
    ]);
    expect(topology).toMatch(/route: 'POST \/orders\/\{card\}',\s+status: 201/);
    expect(topology).toMatch(/card: String![\s\S]*page: Float,\s+size: Int,[\s\S]*card2: JSON/);
    expect(topology).toMatch(/n: Float,\s+big: SafeInt,\s+wallet: String/);
    expect(topology).toMatch(/\(card_result \{\s+id: ID,[\s\S]*?total: Int/);
    expect(topology.match(/:FOLD/g)).toHaveLength(1);
    expect(losses).toContainEqual({
      place: '#/item/1/request',
      subject: 'request wallet',
      reason: 'It is one more call of card, which has its route.',
    });
  });

  test('are two operations if their methods differ', () => {
    const { topology } = importOf([post('add', { a: 1 }), get('{{base}}/orders/:id')]);
    expect(topology.match(/route: '(?:GET|POST) \/orders\/\{/g)).toHaveLength(2);
  });
});

test('imports the operation that a GraphQL request calls', () => {
  const graphql = {
    query: 'query ($id: ID!, $by: Filter) { book(isbn: $id, by: $by, first: 3) { title } }',
    variables: '{"id":"1","by":{"year":1815}}',
  };
  const item = {
    name: 'A book',
    request: { method: 'POST', url: '{{base}}/graphql', body: { mode: 'graphql', graphql } },
    response: [{ code: 200, body: '{"data":{"book":{"title":"Emma"}}}' }],
  };
  const { topology } = importOf([item]);
  expect(topology).toContain('(book_result { title: String })');
  expect(topology).toContain("-[:PROCESS { operation: 'book', isbn: ID!, by: Filter, first: Int }]->(book_result)");
});

describe('a stream of events', () => {
  const stream = (data: string) => ({
    name: 'moved',
    request: {
      method: 'GET',
      url: '{{base}}/api/moved',
      header: [{ key: 'Accept', value: 'text/event-stream' }],
    },
    response: [{ code: 200, body: `data: ${data}\n\n` }],
  });

  test('becomes a FORK to the node of its objects, without a result setting', () => {
    const { topology } = importOf([stream('{"id":"1"}'), get('{{base}}/a')]);
    expect(topology).toContain('(root)-[:FORK]->(moved)');
  });

  test('becomes a FORK to the items of its lists, and reports it', () => {
    const { topology, losses } = importOf([stream('[{"id":"1"}]'), get('{{base}}/a')]);
    expect(topology).toContain("-[:FORK { operation: 'moved' }]->(moved_item)");
    expect(losses).toContainEqual(
      expect.objectContaining({
        subject: 'result of moved',
        reason: 'It is MovedItem instead of [MovedItem!]: an event is one object.',
      }),
    );
  });

  test('is reported if it has scalars, because a FORK leads to a node', () => {
    const { topology, losses } = importOf([stream('1'), get('{{base}}/a')]);
    expect(topology).not.toContain('FORK');
    expect(losses).toContainEqual(expect.objectContaining({ subject: 'operation moved' }));
  });

  test('takes filters from a GraphQL document', () => {
    const graphql = { query: 'subscription ($of: ID!) { moved(of: $of, n: 1) { id } }' };
    const item = {
      ...stream('{"data":{"moved":{"id":"1"}}}'),
      request: { method: 'POST', url: '{{base}}/graphql', body: { mode: 'graphql', graphql } },
    };
    expect(importOf([item, get('{{base}}/a')]).topology).toContain('-[:FORK { of: ID!, n: Int }]->(moved)');
  });
});

test.each([
  [['a'], 'a: File, text: String'],
  [['a', 'b'], 'a: File!, b: File!, text: String'],
])('keeps the files %j of a form, of which several are required', (files, args) => {
  const formdata = [...files.map((key) => ({ key, type: 'file' })), { key: 'text', value: 'x' }];
  const request = { method: 'POST', body: { mode: 'formdata', formdata } };
  const { topology, losses } = importOf([get('{{base}}/a', request), get('{{base}}/b')]);
  expect(topology.replace(/\s+/g, ' ')).toContain(args);
  expect(losses.filter(({ subject }) => /body|file/.test(subject))).toEqual([]);
});

test('reports all but the first of several files with one key, and files of a request without a body', () => {
  const formdata = ['a', 'a'].map((key) => ({ key, type: 'file' }));
  const { topology, losses } = importOf([
    get('{{base}}/a', { method: 'POST', body: { mode: 'formdata', formdata } }),
    get('{{base}}/b', { method: 'DELETE', body: { mode: 'formdata', formdata: formdata.slice(1) } }),
    get('{{base}}/c'),
  ]);
  expect(topology).toContain('a: File');
  expect(losses).toContainEqual({
    place: '#/item/0/request/body/formdata/1',
    subject: 'file a',
    reason: 'A form has one file for each argument.',
  });
  expect(losses).toContainEqual(
    expect.objectContaining({ place: '#/item/1/request/body/formdata/0', subject: 'file a' }),
  );
});

describe('a GraphQL request in a form', () => {
  const form = (query: string, variables: object, ...paths: readonly string[]) => {
    const map = Object.fromEntries(paths.map((path, at) => [at, [path]]));
    const texts = Object.entries({ operations: { query, variables }, map }).map(([key, value]) => ({
      key,
      type: 'text',
      value: JSON.stringify(value),
    }));
    const files = paths.map((_, at) => ({ key: String(at), type: 'file', src: null }));
    const formdata = [...texts, ...files];
    const request = { method: 'POST', url: '{{base}}/graphql', body: { mode: 'formdata', formdata } };
    const { topology, losses } = importOf([{ name: 'Send', request }, get('{{base}}/a')]);
    return {
      topology: topology.replace(/\s+/g, ' '),
      losses: losses.filter(({ subject }) => /^(?:file|argument|body)/.test(subject)),
    };
  };

  test.each([
    ['$a: Upload', { a: null }, ['variables.a'], ' a: File'],
    ['$a: Upload!, $n: Int', { a: null }, ['variables.a'], ' a: File!, n: Int'],
    ['$a: Upload, $b: Upload', { a: null, b: null }, ['variables.a', 'variables.b'], ' a: File!, b: File!'],
    ['$a: Form', { a: { n: 1, b: null } }, ['variables.a.b'], ' a: Form'],
    ['$a: Form', { a: { b: null, c: null } }, ['variables.a.b', 'variables.a.c'], ' a: Form!'],
  ])('keeps the files of %s', (declared, variables, paths, args) => {
    const given = Object.keys(variables).map((name) => `${name}: $${name}`);
    const more = declared.includes('$n') ? ', n: $n' : '';
    const { topology, losses } = form(
      `mutation Send(${declared}) { send(${given.join(', ')}${more}) { id } }`,
      variables,
      ...paths,
    );
    expect(topology).toContain(`returns: JSON,${args}`);
    if (declared.includes('Form')) expect(topology).toMatch(/\(form: Input \{[^}]*b: File!/);
    expect(losses).toEqual([]);
  });

  test('reports a list of files, files deep in an input, and those of a query', () => {
    const list = form(
      'mutation A($a: [Upload!]!) { send(a: $a) }',
      { a: [null, null] },
      'variables.a.0',
      'variables.a.1',
    );
    expect(list.topology).toContain("operation: 'send', returns: JSON, a: File!");
    expect(list.losses.map(({ subject }) => subject)).toEqual(['argument a']);
    const inInput = form(
      'mutation A($a: Form) { send(a: $a) }',
      { a: { b: [null], c: { d: null } } },
      'variables.a.b.0',
      'variables.a.c.d',
      'operations.x',
    );
    expect(inInput.topology).toContain('b: File!');
    expect(inInput.losses.map(({ subject }) => subject)).toEqual([
      'file variables.a.b.0',
      'file variables.a.c.d',
      'file operations.x',
    ]);
    const query = form('query A($a: Upload!) { send(a: $a) }', { a: null }, 'variables.a');
    expect(query.topology).toContain("operation: 'send', returns: JSON, a: JSON!");
    expect(query.losses.map(({ reason }) => reason)).toEqual(['Only mutations take files.']);
  });
});

test('inherits authentication from folders', () => {
  const { topology } = importOf(
    [{ name: 'Folder', auth: { type: 'noauth' }, item: [get('{{base}}/open')] }, get('{{base}}/closed')],
    { auth: { type: 'bearer' } },
  );
  expect(topology).toMatch(/GET \/open', auth: 'optional'/);
  expect(topology).toMatch(/GET \/closed', auth: 'required'/);
});

test.each([
  ['#/item/0/request/header/0', 'header X-Trace', { header: [{ key: 'X-Trace', value: '1' }] }],
  ['#/item/0/request/body/raw', 'body of Find it', { method: 'POST', body: { mode: 'raw', raw: '<a/>' } }],
  ['#/item/0/request/body/file', 'body of Find it', { method: 'POST', body: { mode: 'file' } }],
  [
    '#/item/0/request/body/formdata',
    'body of Find it',
    { method: 'POST', body: { mode: 'formdata', formdata: [{ key: 'a', value: 'b' }] } },
  ],
])('reports parts that topologies cannot express, at %s', (place, subject, request) => {
  const { losses } = importOf([get('{{base}}/a', request), get('{{base}}/b')]);
  expect(losses).toContainEqual(expect.objectContaining({ place, subject }));
});

test('reports a request with another method, and imports the others', () => {
  const { topology, losses } = importOf([get('{{base}}/a', { method: 'HEAD' }), get('{{base}}/b')]);
  expect(topology).toContain('GET /b');
  expect(losses).toContainEqual(expect.objectContaining({ place: '#/item/0/request', subject: 'request Find it' }));
});

test('reads deeply nested folders without overflowing the stack', () => {
  let item: object = get('{{base}}/a');
  for (let depth = 0; depth < 2000; depth++) item = { name: 'f', item: [item] };
  expect(importOf([item]).topology).toContain('GET /a');
});
