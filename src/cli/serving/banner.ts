import { exampleArgument } from '../../api/examples.js';
import { restRoutes } from '../../api/rest-routes.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { queryPairs } from '../../schema/wire.js';
import { countProjection } from '../terminal/count.js';

/** What the banner of a server tells. */
export interface BannerFacts {
  /** What was given on the command line. */
  readonly topologies: readonly string[];
  readonly schema: GqlSchema;
  /** `http://127.0.0.1:4000`, without a final slash. */
  readonly origin: string;
  /** The path of the resolvers module; undefined without one. */
  readonly resolvers: string | undefined;
  /** Whether the module was found rather than named, so that the user learns that it is in use. */
  readonly found: boolean;
  /** The module of channels, if there is one. */
  readonly channels?: { readonly path?: string; readonly found: boolean };
}

/** What a server says when it starts: where everything is, and a line to try it with. */
export function renderBanner(facts: BannerFacts): string {
  const { topologies, schema, origin, resolvers, found, channels } = facts;
  const hasChannels = channels?.path !== undefined;
  const module =
    resolvers === undefined
      ? `no resolvers: constants ${hasChannels ? 'and channels ' : ''}are served, everything else answers NOT_IMPLEMENTED`
      : `resolvers from ${resolvers}${found ? ' (found beside the topology; --no-resolvers leaves them out)' : ''}`;
  return [
    `Serving ${topologies.join(', ')} — ${countProjection(schema)}`,
    module,
    ...(hasChannels
      ? [
          `channels from ${channels.path}${channels.found ? ' (found beside the topology; --no-channels leaves them out)' : ''}`,
        ]
      : []),
    '',
    `  GraphQL     ${origin}/graphql`,
    `  REST        ${origin}/api/…`,
    `  OpenAPI     ${origin}/openapi.json`,
    `  Collection  ${origin}/collection.json`,
    `  SDL         ${origin}/schema.graphql`,
    '',
    'Try it:',
    `  ${tryLine(schema, origin)}`,
    '',
    'Ctrl+C stops it.',
    '',
  ].join('\n');
}

/** A command that a reader can paste: the first REST route with examples for what it requires. */
function tryLine(schema: GqlSchema, origin: string): string {
  const [route] = restRoutes(schema);
  if (route === undefined) return `curl ${quote(`${origin}/schema.graphql`)}`;
  const required = route.operation.arguments.filter(
    ({ type, fallback }) => type.kind === 'nonNull' && fallback === undefined,
  );
  const shown = required.length > 0 || route.method === 'GET' ? required : route.operation.arguments;
  const values = shown.map((argument) => ({ argument, value: exampleArgument(schema, argument) }));
  if (route.method === 'POST') {
    const body = Object.fromEntries(values.map(({ argument, value }) => [argument.name, value]));
    return `curl -H 'content-type: application/json' -d ${quote(JSON.stringify(body))} ${quote(origin + route.path)}`;
  }
  const pairs = values.flatMap(({ argument, value }) => queryPairs(schema, argument, value));
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return `curl ${quote(`${origin}${route.path}${query}`)}`;
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
