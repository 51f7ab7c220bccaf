import { expect, test, vi } from 'vitest';
import { loadPeer, PeerMissingError } from '../../../src/runtime/load/load-peer.js';
import { ask, serve } from '../server/topology-server.js';

/** The error with which Node says that a package is not there. */
function notFound(name: string): Error {
  return Object.assign(new Error(`Cannot find package '${name}' imported from /app/index.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
}

test('loads an installed optional package', async () => {
  expect(await loadPeer(['graphql'], async () => 5)).toBe(5);
});

test('names a missing package with the command that installs it', async () => {
  const failing = loadPeer(['graphql-yoga', 'graphql'], () => Promise.reject(notFound('graphql')));
  await expect(failing).rejects.toThrow(PeerMissingError);
  await expect(failing).rejects.toThrow(
    'The package graphql is not installed. Install it: npm install graphql-yoga graphql',
  );
});

test('passes on an error inside an optional package unchanged', async () => {
  for (const error of [notFound('something-else'), new Error("'graphql' is broken"), 'graphql']) {
    await expect(loadPeer(['graphql'], () => Promise.reject(error))).rejects.toBe(error);
  }
});

test('answers 500 and names the package if an optional package is missing', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.doMock('../../../src/runtime/execute/execution.js', () => {
    throw notFound('graphql');
  });
  const server = serve('(root)-[:PROCESS]->(a { x: 1 })');
  const answer = await ask(server, '/api/a');
  vi.doUnmock('../../../src/runtime/execute/execution.js');
  vi.restoreAllMocks();
  expect(answer.status).toBe(500);
  expect((await ask(server, '/openapi.json')).status).toBe(200);
});
