import { isWebUrl, parseUrl } from '../../../base/source/parse-url.js';
import { defined } from '../../../base/values/defined.js';
import type { GqlApiInfo } from '../../schema/gql-schema.js';
import { defaultEndpoint } from '../../schema/server-paths.js';

/** A reference to another place of the document. */
export interface Reference {
  readonly $ref: string;
}

export type Servers = ReturnType<typeof serversOf>;

/**
 * The servers of a document, by name, those of a channel by protocol, and the path of GraphQL on each of them: the servers
 * of the metadata, else the one of the base URL (AsyncAPI 3.1, section "Server Object"). Each stands there
 * twice, because a server of AsyncAPI has one protocol. An address without a host, such as a variable of the collection,
 * is left out: without servers, the document says that they are unknown.
 *
 * @param baseUrl - The URL of the GraphQL endpoint; without a path, that of a server.
 * @param endpoint - The path of GraphQL on a server; undefined if it follows from the base URL.
 */
export function serversOf(info: GqlApiInfo | undefined, baseUrl: string, endpoint: string | undefined) {
  const base = parseUrl(baseUrl.includes('://') ? baseUrl : `http://${baseUrl}`);
  const path = withoutEnd(base?.pathname ?? '');
  const root = path.slice(0, path.lastIndexOf('/') + 1);
  const objects: Record<string, object> = {};
  const http: Reference[] = [];
  const webSocket: Reference[] = [];
  const here = base && `${base.origin}${root}`;
  for (const { url, description } of info?.servers ?? [{ url: here ?? '', description: undefined }]) {
    const address = parseUrl(url, here);
    if (!address || !isWebUrl(address.origin) || address.origin.includes('{')) continue;
    const pathname = withoutEnd(address.pathname);
    const rest = defined({ pathname: pathname || undefined, description });
    const isSecure = address.protocol === 'https:';
    const name = http.length === 0 ? 'server' : `server-${http.length + 1}`;
    objects[name] = { host: address.host, protocol: isSecure ? 'https' : 'http', ...rest };
    objects[`${name}-ws`] = { host: address.host, protocol: isSecure ? 'wss' : 'ws', ...rest };
    http.push({ $ref: `#/servers/${name}` });
    webSocket.push({ $ref: `#/servers/${name}-ws` });
  }
  return {
    objects,
    http: http.length === 0 ? {} : { servers: http },
    webSocket: webSocket.length === 0 ? {} : { servers: webSocket },
    endpoint: endpoint ?? (path === '' ? defaultEndpoint : `/${path.slice(root.length)}`),
  };
}

/** The action of the server on a channel, and its messages. */
export function operationOn(action: 'send' | 'receive', channel: string, messages: Iterable<string>) {
  const at = `#/channels/${channel}`;
  return {
    action,
    channel: { $ref: at },
    messages: Array.from(messages, (message): Reference => ({ $ref: `${at}/messages/${message}` })),
  };
}

function withoutEnd(path: string): string {
  return path.replace(/\/+$/, '');
}
