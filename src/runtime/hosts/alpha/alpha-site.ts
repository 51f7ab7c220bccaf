import type { ApolloServer, BaseContext } from '@apollo/server';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import { callerOf } from '../../auth/caller.js';
import type { Exchange } from '../../http/exchange.js';
import { decodeBody, readJsonText, receiveBody } from '../../http/read-body.js';
import { defaultLimits } from '../../limits/limits.js';
import { createOwnership } from '../../server/resources.js';
import { foreignAnswerer } from '../node/node.js';
import { createAlphaHandler } from './alpha.js';
import { alphaServiceOf, startApollo } from './alpha-backing.js';

/**
 * Starts an Apollo Server, unless it is started already, and returns the part that a host serves. For a server of a
 * topology that is everything; for any other server only GraphQL, at the path where the host mounts it.
 */
export async function openAlphaSite<TContext extends BaseContext>(apollo: ApolloServer<TContext>) {
  const service = alphaServiceOf(apollo);
  await startApollo(apollo);
  if (service === undefined) return openForeign(apollo);
  return {
    /** Whether a path, perhaps with a query string, belongs to this server; the host handles all others. */
    owns: createOwnership(service.server.schema, [service.endpoint, service.mcpPath]),
    answer: service.answer,
  };
}

/** A server that gg-svc did not create checks its requests itself; it only needs the body. */
async function openForeign<TContext extends BaseContext>(apollo: ApolloServer<TContext>) {
  const run = await createAlphaHandler(apollo, (exchange) => exchange.context?.(callerOf(exchange)) ?? {}, false);
  return { owns: () => true, answer: foreignAnswerer({ run, read: readJson, parse: parseJson }) };
}

function readJson(exchange: Exchange): MaybePromise<undefined> {
  if (!/^application\/json\b/i.test(exchange.header('content-type') ?? '')) return undefined;
  return receiveBody(exchange, defaultLimits.body);
}

function parseJson(exchange: Exchange): void {
  decodeBody(exchange);
  if (exchange.text !== '') exchange.json = readJsonText(exchange.text, 'The body');
}
