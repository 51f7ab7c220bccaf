import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Answer } from '../../../../src/runtime/http/answer.js';
import { createDocument } from '../../../../src/runtime/http/document.js';
import type { Resource, Route } from '../../../../src/runtime/http/exchange.js';
import { PathTree, RouteTable } from '../../../../src/runtime/http/rest/route-table.js';

const resource = () => createDocument(() => new Answer(200, [], null));

function treeOf(...paths: readonly string[]): PathTree<string> {
  const tree = new PathTree<string>();
  for (const path of paths) tree.set(path, path);
  return tree;
}

test('prefers a literal path to a path with an argument', () => {
  const tree = treeOf('/books/{id}', '/books/new', '/books/{id}/pages/{page}', '/books/new/pages/{page}');
  expect(tree.get('/books/7')).toBe('/books/{id}');
  expect(tree.get('/books/new')).toBe('/books/new');
  expect(tree.get('/books/new/pages/1')).toBe('/books/new/pages/{page}');
  expect(tree.get('/books/old/pages/1')).toBe('/books/{id}/pages/{page}');
});

test('falls back to an argument if a literal segment does not lead to a path', () => {
  const tree = treeOf('/books/new/cover', '/books/{id}/pages');
  expect(tree.get('/books/new/pages')).toBe('/books/{id}/pages');
  expect(tree.get('/books/new/cover')).toBe('/books/new/cover');
  expect(tree.get('/books/new/index')).toBeUndefined();
});

test('matches one non-empty segment for an argument', () => {
  const tree = treeOf('/books/{id}', '/books/{id}/pages/{page}');
  for (const path of ['/books', '/books/', '/books//', '/books/7/', '/books/7/pages', '/books/7/pages/', 'books/7'])
    expect(tree.get(path), path).toBeUndefined();
  expect(tree.get('/books/%2F')).toBe('/books/{id}');
  expect(tree.get('/books/{id}')).toBe('/books/{id}');
});

test('treats percent-encoded letters of a literal segment as another segment', () => {
  expect(treeOf('/books/new').get('/books/n%65w')).toBeUndefined();
});

test('prefers literal paths to all paths with arguments', () => {
  const [open, literal] = [resource(), resource()];
  const table = new RouteTable([
    ['/{page}', open],
    ['/books', literal],
  ]);
  expect(table.get('/books')).toBe(literal);
  expect(table.get('/authors')).toBe(open);
  expect(literal.path).toBe('/books');
  expect([...table.paths()]).toEqual(['/books']);
});

test('takes the same number of look-ups in a table of 5 and of 500 routes', () => {
  const lookUps = (routes: number): number[] => {
    const paths = Array.from({ length: routes }, (_, at) => `/api/things${at}/{id}/parts/{part}`);
    const table = new RouteTable(paths.map((path) => [path, resource()] as const));
    const counted = [0, routes - 1].map((at) => {
      const get = vi.spyOn(Map.prototype, 'get');
      const found = table.get(`/api/things${at}/7/parts/x`);
      const { length } = get.mock.calls;
      get.mockRestore();
      expect(found?.path).toBe(paths[at]);
      return length;
    });
    return counted;
  };
  expect(lookUps(500)).toEqual(lookUps(5));
  expect(lookUps(500)[0]).toBeLessThanOrEqual(4);
});

interface DrawnRoute {
  readonly method: string;
  readonly path: string;
}

/** One resource for each path, as REST routes have them. */
function tableOf(routes: readonly DrawnRoute[]): RouteTable {
  const resources = [...new Set(routes.map(({ path }) => path))].map((path): [string, Resource] => {
    const own = routes.filter((route) => route.path === path);
    const methods = new Map<string, Route>(own.map(({ method }) => [method, { run: () => new Answer(200, [], null) }]));
    return [path, { allow: [...methods.keys(), 'OPTIONS'].join(', '), routes: methods, isShared: true }];
  });
  return new RouteTable(resources);
}

/** How literal a segment is, as the page of routes says it: a smaller text takes precedence. */
function rankOf(segment: string): string {
  if (!segment.includes('{')) return '0';
  const text = segment.replaceAll('{x}', '');
  return text === '' ? '2' : `1 ${String(100 - text.length).padStart(3, '0')} ${segment}`;
}

/** Tries all routes, the most literal first. */
function findNaively(routes: readonly DrawnRoute[], method: string, path: string): string | undefined {
  const segments = path.slice(1).split('/');
  const matches = routes.filter((route) => {
    const pattern = route.path.replace(/[.@]/g, '\\$&').replaceAll('{x}', '([^/]+?)');
    return route.method === method && new RegExp(`^${pattern}$`).test(path);
  });
  for (const [at] of segments.entries()) {
    const ranks = matches.map((route) => rankOf(route.path.slice(1).split('/')[at] ?? ''));
    const best = ranks.toSorted()[0];
    for (let index = ranks.length - 1; index >= 0; index--) if (ranks[index] !== best) matches.splice(index, 1);
  }
  return matches[0]?.path;
}

test('a table of random routes answers as one that tries all routes, the most literal first', () => {
  const segment = fc.constantFrom('a', 'a.b', '@me', '{x}', '{x}.b', 'a.{x}', '{x}.{x}', 'a{x}b', '{x}..{x}');
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
  const methods = ['GET', 'PUT', 'POST'];
  const route = fc.record({ method: fc.constantFrom(...methods), path });
  const routes = fc.uniqueArray(route, {
    minLength: 1,
    maxLength: 20,
    selector: (one) => `${one.method} ${one.path}`,
  });
  const asked = fc
    .array(fc.constantFrom('a', 'a.b', '@me', 'b', 'a.b.b', 'ab', 'aab', 'a..b', '.b', 'a.', ''), {
      minLength: 1,
      maxLength: 3,
    })
    .map((segments) => `/${segments.join('/')}`);
  fc.assert(
    fc.property(routes, fc.array(asked, { minLength: 1, maxLength: 20 }), (given, requests) => {
      const table = tableOf(given);
      const own = given.map((one) => one.path.replaceAll('{x}', 'x'));
      for (const request of [...requests, ...own]) {
        const allowed = methods.filter((method) => findNaively(given, method, request) !== undefined);
        for (const method of methods) {
          const expected = findNaively(given, method, request);
          const found = table.get(request, method);
          const served = found?.routes.get(method) === undefined ? undefined : found.path;
          expect(served, `${method} ${request}`).toBe(expected);
          if (expected === undefined)
            expect(new Set(found?.allow.split(', ') ?? ['OPTIONS']), request).toEqual(new Set([...allowed, 'OPTIONS']));
        }
      }
      // No declared route is dropped: a request with values that no literal has finds it.
      for (const { method, path: one } of given) expect(table.get(one.replaceAll('{x}', '~~'), method)?.path).toBe(one);
    }),
  );
});

test('a resource of the server itself leaves no method to a path with arguments', () => {
  const [own, open] = [resource(), tableOf([{ method: 'PUT', path: '/{x}' }]).get('/a')];
  const table = new RouteTable([
    ['/{x}', open as Resource],
    ['/graphql', own],
  ]);
  expect(table.get('/graphql', 'PUT')).toBe(own);
  expect(table.get('/other', 'PUT')?.path).toBe('/{x}');
});
