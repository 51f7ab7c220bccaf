import type { EventFormat } from '../../compiler/api/cloud-event.js';
import { serversOf } from '../../compiler/emit/asyncapi/servers.js';
import { schemaToAsyncAPI } from '../../compiler/emit/asyncapi.js';
import { originOf } from '../../compiler/emit/collection/addresses.js';
import { writeJson } from '../../compiler/emit/text/write-json.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Exchange } from './exchange.js';

interface AsyncApiFacts {
  readonly title: string;
  /** The option `baseUrl`; undefined if the document has the origin of the request. */
  readonly baseUrl: string | undefined;
  readonly endpoint: string;
  readonly eventFormat: EventFormat;
}

/**
 * Makes a function that returns the AsyncAPI document with the origin of the server. All but the servers is written once.
 */
export function createAsyncApiText(
  schema: GqlSchema,
  { title, baseUrl, endpoint, eventFormat }: AsyncApiFacts,
): (exchange: Exchange) => string {
  // A base URL with a path is the GraphQL endpoint itself.
  const known = baseUrl !== undefined && originOf(baseUrl) === undefined ? undefined : endpoint;
  let parts: readonly string[] | undefined;
  return ({ forwarded: { scheme, host } }) => {
    const served = baseUrl ?? `${scheme}://${host}`;
    parts ??= partsOf(schema, {
      title,
      eventFormat,
      baseUrl: baseUrl ?? 'http://localhost',
      ...(known && { endpoint: known }),
    });
    if (parts.length === 1) return parts.join('');
    const servers = writeJson({ servers: serversOf(schema.info, served, known).objects });
    return parts.join(servers.slice(1, -'\n}\n'.length));
  };
}

/** The text before and after the servers; the whole text if there are none. */
function partsOf(schema: GqlSchema, options: Parameters<typeof schemaToAsyncAPI>[1]): readonly string[] {
  const document = schemaToAsyncAPI(schema, options);
  if (document === undefined) return [];
  const hole = document.servers === undefined ? {} : { servers: {} };
  // Texts in the document have no line breaks and escaped quotes, so this stands there once.
  return writeJson({ ...document, ...hole }).split('\n  "servers": {}');
}
