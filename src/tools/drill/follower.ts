import { operationDocument } from '../../compiler/api/operation-document.js';
import { printSelection } from '../../compiler/api/print-selection.js';
import { restRoute } from '../../compiler/api/rest-routes.js';
import { graphqlArguments, isResumable } from '../../compiler/api/resume-argument.js';
import { defaultSelection } from '../../compiler/api/selection.js';
import { resumeArgument } from '../../compiler/graph/names.js';
import type { GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { parseJson, readBlocks } from '../workflows/read-answer.js';
import { overWebSocket } from '../workflows/web-socket.js';
import type { DrillServer } from './server.js';
import type { Heard } from './tally.js';

/** The API that clients follow. */
export interface FollowedApi {
  readonly schema: GqlSchema;
  readonly servers: readonly DrillServer[];
  /** The path of GraphQL. */
  readonly endpoint: string;
  /** The headers of requests. */
  readonly headersOf: (operation: GqlOperation) => Readonly<Record<string, string>>;
  /** Whether clients can continue after an event. */
  readonly keepsEvents: boolean;
  readonly signal: AbortSignal;
}

/** Opens a stream on a server until it ends. */
type Stream = (follower: Follower, server: DrillServer, signal: AbortSignal) => Promise<void>;

/**
 * A client of a subscription, which connects to another server when its stream ends, and continues after its last
 * event.
 */
export class Follower {
  readonly ids: (string | undefined)[] = [];
  readonly told = new Map<string, number>();
  /** The id of the last event, or of the position with which a stream began. */
  last: string | undefined;
  /** Settles when the first stream is open. */
  readonly opened: Promise<void>;
  #open: () => void = () => undefined;

  constructor(
    readonly operation: GqlOperation,
    readonly protocol: string,
    readonly api: FollowedApi,
    stream: Stream,
  ) {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    void this.#follow(stream);
  }

  async #follow(stream: Stream): Promise<void> {
    const { servers, signal } = this.api;
    for (let at = 0; !signal.aborted; at++) {
      const server = servers[at % servers.length];
      if (server?.isServing === true) await stream(this, server, signal).catch(() => this.tell('connection lost'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    this.#open();
  }

  /** Takes the notice that the stream is open. */
  begin(): void {
    this.#open();
  }

  take(id: string | undefined): void {
    this.ids.push(id);
    this.last = id ?? this.last;
  }

  tell(what: string): void {
    if (!this.api.signal.aborted) this.told.set(what, (this.told.get(what) ?? 0) + 1);
  }

  /** Everything received since this call. */
  mark(): () => Heard {
    const { length } = this.ids;
    const before = new Map(this.told);
    return () => ({
      name: `${this.operation.name} over ${this.protocol}`,
      subscription: this.operation.name,
      ids: this.ids.slice(length),
      told: Object.fromEntries(
        [...this.told]
          .map(([what, times]) => [what, times - (before.get(what) ?? 0)] as const)
          .filter(([, times]) => times > 0),
      ),
    });
  }
}

/** Follows a subscription over Server-Sent Events. */
export function followOverSse(operation: GqlOperation, api: FollowedApi): Follower {
  return new Follower(operation, 'SSE', api, async (follower, { origin }, signal) => {
    const response = await fetch(origin + restRoute(operation).path, {
      headers: {
        accept: 'text/event-stream',
        ...api.headersOf(operation),
        ...(api.keepsEvents && follower.last !== undefined && { 'last-event-id': follower.last }),
      },
      signal,
    });
    if (!response.ok) {
      follower.tell(`status ${response.status}`);
      await response.body?.cancel();
      return;
    }
    follower.begin();
    for await (const { event, data, id } of readBlocks(response)) {
      if (data === undefined) follower.last = id;
      else if (event === 'message') follower.take(id);
      else follower.tell(codeOf(parseJson(data)));
    }
    follower.tell('end of stream');
  });
}

/** Follows a subscription over WebSocket (graphql-transport-ws). */
export function followOverWebSocket(operation: GqlOperation, api: FollowedApi): Follower {
  const resumes = api.keepsEvents && isResumable(operation);
  const listed = resumes ? { ...operation, arguments: graphqlArguments(operation) } : operation;
  const selection = printSelection(defaultSelection(api.schema, operation.type));
  const query = operationDocument(api.schema, listed, selection);
  return new Follower(operation, 'WebSocket', api, async (follower, { origin }, signal) => {
    const code = await overWebSocket(
      {
        address: `${origin}${api.endpoint}`,
        headers: api.headersOf(operation),
        query,
        variables: resumes ? { [resumeArgument]: follower.last } : {},
        onOpen: () => follower.begin(),
        onResult({ errors, extensions }) {
          if (errors === undefined) follower.take(extensions?.eventId);
          else follower.tell(codeOf(errors[0]));
        },
      },
      signal,
    );
    follower.tell(`close ${code}`);
  });
}

/** The code of an error of GraphQL or of a problem. */
function codeOf(error: unknown): string {
  const { code, extensions, title } = (error ?? {}) as {
    readonly code?: string;
    readonly title?: string;
    readonly extensions?: { readonly code?: string };
  };
  return extensions?.code ?? code ?? title ?? 'error';
}
