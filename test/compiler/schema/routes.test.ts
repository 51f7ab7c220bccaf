import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { check, project } from './check.js';

/** The findings of a topology with these routes of queries, each with the arguments a and b. */
function findingsOf(...routes: readonly string[]): readonly string[] {
  const edges = routes.map(
    (route, at) => `(root)-[:PROCESS { a: ID!, b: Int, route: '${route}' }]->(n${at} { id: ID! })`,
  );
  return project(edges.join('\n')).diagnostics.map(({ code }) => code);
}

describe('a route', () => {
  it.each([
    'GET /books',
    'GET /books/{a}',
    'GET /{a}/{b}',
    'GET /v1.0/a-b_c~d/{b}',
    'GET /api/books',
    'GET /api/{a}',
    'GET   /books',
    'GET /users/@me',
    'GET /{a}.json',
    'GET /thumbnail.{a}',
    'GET /{a}...{b}',
    'GET /v1/books:sort(by=$a,b;c+d&e!)',
    'GET /{a}:cancel',
  ])('may be %s', (route) => {
    expect(findingsOf(route)).toEqual([]);
  });

  it.each([
    'GET /',
    'GET //books',
    'GET /books/',
    'GET books',
    'GET /books/../x',
    'GET /books/./x',
    'GET /b%20c',
    'GET /books?a=1',
    'GET /books/:a',
    'GET /{a}{b}',
    'GET /x{a}{b}.json',
    'GET /{a}.{a}',
    'GET /{a}:{c}',
    'GET /a/{b',
    'GET /files/*',
    'GET /x("{a}")',
    'GET /books/{a}/{a}',
    'GET /books/{c}',
    'GET /books/{}',
    'GET /bücher',
    'HEAD /books',
    'PUT /books',
  ])('is an error as %s', (route) => {
    expect(findingsOf(route)).toEqual(['GG3038']);
  });

  it.each(['/books', 'GET', 'get /books', 'GET /a b', ''])('cannot have the form “%s”', (route) => {
    expect(findingsOf(route)).toEqual(['GG2018']);
  });

  it.each(['[Int]', 'Point', 'PointInput'])('cannot have an argument of type %s', (type) => {
    const text = `(point { x: Int }) (root)-[:PROCESS { a: ${type}, route: 'GET /x/{a}' }]->(n)`;
    expect(project(text).diagnostics.map(({ code }) => code)).toContain('GG3038');
  });

  it.each([
    ['GET /books', 'GET /books'],
    ['GET /books/{a}', 'GET /books/{b}'],
    ['GET /{a}.json', 'GET /{b}.json'],
    ['GET /{a}...{b}', 'GET /{b}...{a}'],
    ['GET /books', 'GET /graphql'],
    ['GET /books', 'GET /health/live'],
    ['GET /books', 'GET /api'],
    ['GET /books', 'GET /federation/bundle'],
  ])('is taken by another: %s and %s', (...routes) => {
    expect(findingsOf(...routes)).toEqual(['GG3039']);
  });

  it.each([
    ['GET /books/{a}', 'GET /books/newest'],
    ['GET /{a}/{b}', 'GET /{a}/x'],
    ['GET /{a}', 'GET /{a}/{b}'],
    ['GET /{a}/x', 'GET /y/{a}'],
    ['GET /{a}.json', 'GET /{a}'],
    ['GET /{a}.x', 'GET /b.{a}'],
  ])('is allowed beside another one that matches some of the same requests: %s and %s', (...routes) => {
    expect(findingsOf(...routes)).toEqual([]);
  });

  it('may share its path with other methods, whatever the names of its arguments', () => {
    const both = (path: string) =>
      `(root)-[:PROCESS { a: ID!, route: 'GET /x/{a}' }]->(n)
       (root)-[:FOLD { a: ID!, b: ID!, route: 'PUT /x/${path}' }]->(m)`;
    check(both('{a}'), {});
    check(both('{b}'), {});
  });

  it('is taken by an operation of a layer', () => {
    const text = "(root)-[:PROCESS { route: 'GET /api/federationSnapshot' }]->(n { id: ID! })";
    expect(compile(text).ok).toBe(true);
    const codes = compile(text, { federation: true }).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['GG3039']);
  });

  it('has no effect on edges without a REST route', () => {
    const text = "(a)-[:FORK { route: 'GET /x', status: 201, null: 404 }]->(b)";
    check(text, {
      has: ['subscription b: B'],
      findings: ["GG3012 «route: 'GET /x'»", 'GG3012 «status: 201»', 'GG3012 «null: 404»'],
    });
  });
});

describe('a status', () => {
  it.each([
    ['status: 199', 'GG2018'],
    ['status: 300', 'GG2018'],
    ['status: 20.5', 'GG2018'],
    ["status: 'ok'", 'GG2018'],
    ['null: 200', 'GG2018'],
    ['null: 500', 'GG2018'],
    ['null: true', 'GG2018'],
  ])('is an error as %s', (setting, code) => {
    const { diagnostics } = project(`(root)-[:PROCESS { ${setting} }]->(n { id: ID! })`);
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
  });

  it('of one edge applies to all edges of the operation', () => {
    const text = '(a)-[:FOLD { x: Int }]->(n) (b)-[:FOLD { y: Int, status: 201 }]->(n)';
    expect(project(text).schema.mutations[0]).toMatchObject({ status: 201 });
    check(text.replace('x: Int', 'x: Int, status: 202'), {
      has: ['mutation n(x: Int, y: Int): N'],
      findings: ['GG3037 «status: 201» + «status: 202»'],
    });
  });
});

describe('routes with arguments', () => {
  it('are errors beside the first route of their method and shape, and only there', () => {
    const segment = fc.constantFrom('a', 'b', '{a}', '{b}', '{a}.x', '{b}.x', 'x.{a}', '{a}-{b}', '{b}-{a}');
    const path = fc
      .array(segment, { minLength: 1, maxLength: 3 })
      .filter((segments) => ['{a}', '{b}'].every((one) => segments.join('/').split(one).length <= 2))
      .map((segments) => `/${segments.join('/')}`);
    const route = fc.record({ method: fc.constantFrom('GET', 'PUT', 'PATCH'), path });
    fc.assert(
      fc.property(fc.array(route, { minLength: 2, maxLength: 12 }), (routes) => {
        const edges = routes.map(({ method, path: one }, at) => {
          const [type, result] = method === 'GET' ? ['PROCESS', ''] : ['FOLD', ', returns: String'];
          return `(root)-[:${type} { a: ID!, b: Int${result}, route: '${method} ${one}' }]->(n${at} { id: ID! })`;
        });
        const { diagnostics } = project(edges.join('\n'));
        const shape = ({ method, path: one }: (typeof routes)[number]) => `${method} ${one.replaceAll('{b}', '{a}')}`;
        const clashes = routes.flatMap((one, at) => {
          const first = routes.findIndex((other) => shape(other) === shape(one));
          return first === at ? [] : [[`The route ${one.method} ${one.path} `, `the route of n${first}.`]];
        });
        const found = diagnostics.filter(({ code }) => code === 'GG3039').map(({ message }) => message);
        expect(found).toHaveLength(clashes.length);
        for (const [at, texts] of clashes.entries()) for (const text of texts) expect(found[at]).toContain(text);
      }),
      { numRuns: 200 },
    );
  });
});
