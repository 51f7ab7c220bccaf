import { describe, expect, test } from 'vitest';
import { type ImportGraph, importRoots } from '../../../src/compiler/graph/import-path.js';

const graphOf = (imports: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(imports));

describe('the roots of the topologies with a file', () => {
  const roots = (path: string, imports: Readonly<Record<string, readonly string[]>>) =>
    importRoots(graphOf(imports), path);

  test('are the files that no file imports, among those that lead to it', () => {
    const imports = { a: ['c'], b: ['c', 'd'], c: ['e'], d: [], e: [], f: [] };
    expect(roots('e', imports)).toEqual(['a', 'b']);
    expect(roots('d', imports)).toEqual(['b']);
    expect(roots('f', imports)).toEqual(['f']);
    expect(roots('a', imports)).toEqual(['a']);
  });

  test('of an import cycle are its first file by name, unless a file outside imports it', () => {
    expect(roots('c', { b: ['c'], c: ['b'] })).toEqual(['b']);
    expect(roots('c', { a: ['a', 'c'], b: ['c'], c: ['b'] })).toEqual(['a']);
    expect(roots('a', { a: ['a'] })).toEqual(['a']);
  });
});

/** The files that a file imports, directly or not, with itself. */
function reachedBy(file: string, imports: ImportGraph): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next);
  return reached;
}

test('in every import graph of four files, roots reach all files, and no root another one', () => {
  const names = ['a', 'b', 'c', 'd'];
  const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));
  const graphs = Array.from({ length: 2 ** pairs.length }, (_, bits) => {
    const chosen = pairs.filter((_pair, at) => (bits >> at) & 1);
    return new Map(names.map((name) => [name, chosen.flatMap(([from, to]) => (from === name ? [to] : []))]));
  });
  const wrong = graphs.filter((imports) => {
    const reached = new Map(names.map((name) => [name, reachedBy(name, imports)]));
    const isAbove = (root: string, name: string) => reached.get(root)?.has(name) === true;
    const roots = importRoots(imports);
    return !(
      names.every((name) => roots.some((root) => isAbove(root, name))) &&
      roots.every((root) => roots.every((other) => other === root || !isAbove(root, other))) &&
      names.every((name) => importRoots(imports, name).join() === roots.filter((one) => isAbove(one, name)).join())
    );
  });
  expect(wrong.map((imports) => JSON.stringify([...imports]))).toEqual([]);
});
