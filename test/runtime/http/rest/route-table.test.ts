import { expect, test, vi } from 'vitest';
import { Answer } from '../../../../src/runtime/http/answer.js';
import { createDocument } from '../../../../src/runtime/http/document.js';
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
  for (const path of [
    '/books',
    '/books/',
    '/books//',
    '/books/7/',
    '/books/7/pages',
    '/books/7/pages/',
    'books/7',
  ])
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
