import { curlCommand, curlLine } from '../../../compiler/api/curl.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import { allRoutes, restRoutes } from '../../../compiler/api/rest-routes.js';
import { hasEvents } from '../../../compiler/emit/asyncapi.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { restPrefix, studioPages } from '../../../compiler/schema/server-paths.js';
import { countProjection } from '../terminal/count.js';
import type { ChosenModule } from './modules.js';

export interface BannerFacts {
  readonly topologies: readonly string[];
  readonly schema: GqlSchema;
  /** `http://127.0.0.1:4000`, without a final slash. */
  readonly origin: string;
  readonly resolvers: UsedModule;
  readonly context: UsedModule;
  readonly channels: UsedModule;
  readonly endpoint: string;
  /** The path of MCP; undefined if it is off. */
  readonly mcpPath: string | undefined;
  readonly hasStudio: boolean;
  /** Whether the start page and the documents are served. */
  readonly hasDocuments: boolean;
  /** Whether a database serves stored nodes. */
  readonly hasStore: boolean;
  /** Whether the mock answers what has no resolver. */
  readonly isMocked: boolean;
}

type UsedModule = Pick<ChosenModule, 'path' | 'found'>;

/** The text that a server prints when it starts: its addresses and an example request. */
export function renderBanner(facts: BannerFacts): string {
  const { topologies, schema, origin, context, channels, endpoint, mcpPath, hasStudio, hasDocuments } = facts;
  const tried = tryLine(facts);
  const lines = [describeModule('context', context), describeModule('channels', channels)];
  return [
    `Serving ${topologies.join(', ')} — ${countProjection(schema)}`,
    describeAnswers(facts),
    ...lines.filter((line) => line !== undefined),
    '',
    ...(hasStudio ? [`  Studio      ${origin}${studioPages.page}`] : []),
    `  GraphQL     ${origin}${endpoint}`,
    ...(allRoutes(schema).length === 0 ? [] : [`  REST        ${origin}${restPrefix}…`]),
    ...(mcpPath === undefined ? [] : [`  MCP         ${origin}${mcpPath}`]),
    ...(hasDocuments ? documentLines(schema, origin) : []),
    '',
    ...(tried === undefined ? [] : ['Try it:', `  ${tried}`, '']),
    'Press Ctrl+C to stop.',
    '',
  ].join('\n');
}

/** The source of the answers. */
function describeAnswers({ resolvers, channels, hasStore, isMocked }: BannerFacts): string {
  const given = describeModule('resolvers', resolvers);
  const mock = 'example rows in memory, which the mock keeps';
  if (isMocked) return given === undefined ? `no resolvers: answers from ${mock}` : `${given}, and ${mock}`;
  const parts = ['constants', ...(channels.path === undefined ? [] : ['channels']), ...(hasStore ? ['the store'] : [])];
  return given ?? `no resolvers: ${parts.join(' and ')} are served, everything else answers NOT_IMPLEMENTED`;
}

/** `resolvers from service.resolvers.mjs`; says so if the module was found by its name. */
function describeModule(kind: string, { path, found }: UsedModule): string | undefined {
  if (path === undefined) return undefined;
  return `${kind} from ${path}${found ? ` (found next to the topology; --no-${kind} ignores it)` : ''}`;
}

function documentLines(schema: GqlSchema, origin: string): readonly string[] {
  return [
    `  OpenAPI     ${origin}/openapi.json`,
    `  Collection  ${origin}/collection.json`,
    ...(hasEvents(schema) ? [`  AsyncAPI    ${origin}/asyncapi.json`] : []),
    `  SDL         ${origin}/schema.graphql`,
  ];
}

/** A command to paste: the first REST route with example values for its required arguments, or else a document. */
function tryLine({ schema, origin, hasDocuments }: BannerFacts): string | undefined {
  const [route] = restRoutes(schema);
  if (route === undefined)
    return hasDocuments ? curlCommand({ method: 'GET', url: `${origin}/schema.graphql`, headers: [] }) : undefined;
  const { operation } = route;
  const hasRequired = operation.arguments.some(isRequired);
  const isShown = hasRequired || operation.kind === 'query' ? isRequired : undefined;
  return curlLine(schema, operation, { origin }, isShown);
}
