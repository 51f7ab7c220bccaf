import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Resolvers } from '../../src/runtime/execute/resolvers/contract.js';

/** Loads the resolvers of an example afresh, with data that no other test has changed. */
export async function loadResolvers(path: string): Promise<Resolvers> {
  const url = pathToFileURL(resolve(path));
  url.searchParams.set('copy', String(copies++));
  const { default: resolvers } = (await import(url.href)) as { default: Resolvers };
  return resolvers;
}

let copies = 0;
