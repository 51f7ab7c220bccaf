import type { Drawing } from '../../analysis/diagram/drawing.js';
import type { SchemaChange } from '../../analysis/diff/model/change.js';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { studioPages } from '../../compiler/schema/server-paths.js';
import type { StepState } from '../../runtime/logs/monitor.js';
import type { Run } from '../../runtime/runs/runs.js';

/** The paths of the studio. The page is at `page`, the reference of `gg-svc docs` below `reference`; `api/…` is for the page alone. */
export const studioPaths = {
  ...studioPages,
  signIn: '/_gg/sign-in',
  state: '/_gg/api/state',
  drawing: '/_gg/api/drawing',
  messages: '/_gg/api/messages',
  calls: '/_gg/api/calls',
  fix: '/_gg/api/fix',
  test: '/_gg/api/test',
  publish: '/_gg/api/publish',
  versions: '/_gg/api/versions',
  version: '/_gg/api/version',
  replay: '/_gg/api/replay',
} as const;

/** The state that the page shows: the topology as it is now, and the API that is served. The answer of `state`. */
export interface StudioState {
  /** Changes with each change of the topology. */
  readonly revision: number;
  /** The names of the files of the topology, as given on the command line. */
  readonly title: string;
  readonly endpoint: string;
  /** Whether `fix` and `test` may write files: in `dev`, and in `serve --watch`. */
  readonly canWrite: boolean;
  /** The API that is served: that of the last topology without errors; absent before the first one. */
  readonly api?: StudioApi;
  /** The files of the topology as they are now, with errors or without. */
  readonly sources: readonly StudioSource[];
  /** The findings in these files, in the modules of the server, and between the two. */
  readonly findings: readonly Diagnostic[];
  /** The changes when a page last saw another API: in the last save that changed it, if a page was open then. */
  readonly changes: readonly SchemaChange[];
}

export interface StudioApi {
  /** The title of the API, as in its OpenAPI document. */
  readonly title: string;
  /** The schema that is served: of the topology, and of the layers of the server. */
  readonly schema: GqlSchema;
  /** Absent while its layout is computed. `drawing` answers with opened groups, and with parts of it. */
  readonly drawing?: Drawing;
  /** Why there will be no drawing; absent otherwise. */
  readonly undrawn?: string;
  /** The texts that the spans of `schema` refer to; they differ from `sources` while those have errors. */
  readonly sources: readonly StudioSource[];
  /**
   * The source of the answers of each operation, by schema coordinate: `the resolver in service.resolvers.mjs`, `the
   * channel http of user`. Operations without an entry answer NOT_IMPLEMENTED.
   */
  readonly answeredBy: Readonly<Record<string, string>>;
}

export interface StudioSource {
  readonly name: string;
  readonly text: string;
}

/** A message of the stream `messages`, one JSON text per server-sent event. */
export type StudioMessage =
  /** The topology or its drawing has changed, or messages were lost; the page gets the state again. */
  | { readonly kind: 'state'; readonly revision: number }
  /** Calls that were recorded since the last message. */
  | { readonly kind: 'calls'; readonly calls: readonly CallSummary[] }
  /** Runs of chains that have changed since the last message, each as a whole. */
  | { readonly kind: 'runs'; readonly runs: readonly ShownRun[] }
  /** Races that have ended since the last message. */
  | { readonly kind: 'races'; readonly races: readonly RaceResult[] }
  /** Events that were published since the last message, and those that have reached more subscribers since. */
  | { readonly kind: 'events'; readonly events: readonly PublishedEvent[] }
  /** The state of subscriptions and channels, when it has changed. */
  | {
      readonly kind: 'gauges';
      readonly subscriptions: readonly SubscriptionGauge[];
      readonly channels: readonly ChannelGauge[];
    }
  /** The statistics of operations, when they have changed. */
  | { readonly kind: 'statistics'; readonly operations: readonly OperationStatistics[] };

export interface CallSummary {
  readonly id: string;
  /** The schema coordinate of the operation: `Query.readUser`. */
  readonly coordinate: string;
  readonly protocol: 'rest' | 'graphql' | 'sse' | 'ws' | 'mcp' | 'process';
  /** When it began, in milliseconds since 1970. */
  readonly start: number;
  /** In milliseconds. */
  readonly duration: number;
  /** The status of the HTTP response; absent for other protocols. */
  readonly status?: number;
  /** The id of the run of a chain that it is a step of. */
  readonly run?: string;
  /** The id of its caller; absent for an unknown one, and for the program. */
  readonly caller?: string;
  /** Its arguments as JSON without credentials, cut after 200 characters; absent without any. */
  readonly arguments?: string;
  /** The number of errors in its result; 1 for a request that was refused. */
  readonly errors: number;
}

/** One call in full. The answer of `calls?coordinate=…` is the list of the last 50 calls, the newest first. */
export interface Call extends CallSummary {
  readonly request: CallRequest;
  /** The body of the response, at most 64 KiB of it; absent without one. */
  readonly answer?: string;
  /** Empty for some calls when an operation is called more than 50 times a second. */
  readonly spans: readonly CallSpan[];
  readonly races: readonly RaceResult[];
}

/** The request of a call, without credentials. */
export interface CallRequest {
  readonly method?: string;
  /** The path and query. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A span of the waterfall of a call. */
export interface CallSpan {
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  /** Milliseconds since the start of the call. */
  readonly start: number;
  readonly duration: number;
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly error?: string;
}

/** A run of a chain: in one request, or durable. */
export interface ShownRun {
  readonly id: string;
  readonly chain: string;
  readonly isDurable: boolean;
  readonly state: Run['state'];
  /** When its first step began, in milliseconds since 1970. */
  readonly start: number;
  /** When it ended; absent until then. */
  readonly end?: number;
  /** Its steps, in the order in which they run. */
  readonly steps: readonly ShownStep[];
}

export interface ShownStep {
  readonly name: string;
  readonly coordinate: string;
  /** `open` before it has begun, and without a result when its run has ended. */
  readonly state: 'open' | StepState;
  /** When it began; absent before, and if the studio has not seen it begin. */
  readonly start?: number;
  /** In milliseconds; absent until it has ended. */
  readonly duration?: number;
  /** Why it failed, or is tried again. */
  readonly problem?: string;
}

export interface RaceResult {
  readonly union: string;
  /** The type of the winner; absent if no branch won. */
  readonly winner?: string;
  readonly cancelled: readonly string[];
  readonly at: number;
}

export interface PublishedEvent {
  readonly id: string;
  /** The name of the subscription. */
  readonly subscription: string;
  readonly at: number;
  /** The payload; absent if it is larger than 64 KiB or has no JSON form. */
  readonly payload?: JsonValue;
  /** The number of subscribers that it was delivered to. */
  readonly deliveredTo: number;
  /** Why it could not be completed; absent for a complete event. */
  readonly problem?: string;
}

export interface SubscriptionGauge {
  readonly name: string;
  readonly subscribers: number;
  /** The number of events that wait in the queues of its subscribers. */
  readonly waiting: number;
  /** How long the oldest waiting event has waited, in milliseconds. */
  readonly lag: number;
}

export interface ChannelGauge {
  readonly node: string;
  /** Whether its last use succeeded (`open`) or failed; `idle` before the first use. */
  readonly state: 'idle' | 'open' | 'failing';
  /** Why its last use failed; absent if it did not. */
  readonly failure?: string;
}

/** The calls of one operation in the last minute. */
export interface OperationStatistics {
  readonly coordinate: string;
  readonly calls: number;
  readonly errors: number;
  /** The 95th percentile of their durations, in milliseconds. */
  readonly p95: number;
}

/**
 * The body of `fix`: applies the fix of a finding to its files. The answer is 204, 409 if a file has changed, or 403 if
 * the server does not watch its files.
 */
export interface FixRequest {
  /** The revision that the finding belongs to. */
  readonly revision: number;
  /** The index of the finding in `StudioState.findings`. */
  readonly finding: number;
}

/** The body of `test`: saves a call as a test. The answer is {@link SavedTest}. */
export interface TestRequest {
  readonly call: string;
}

export interface SavedTest {
  /** The path of the file, relative to the folder of the command. */
  readonly path: string;
  readonly text: string;
}

/** The body of `publish`: publishes an event of the tape again. The answer is 204. */
export interface PublishRequest {
  readonly event: string;
}

/** A version of the topology: a save of this command, or a commit of git that changed its files. */
export interface VersionSummary {
  readonly id: string;
  readonly kind: 'save' | 'commit';
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** The subject of the commit; absent for a save. */
  readonly title?: string;
}

/** The answer of `versions`. */
export interface VersionList {
  /** The oldest first; the last one is that of now. */
  readonly versions: readonly VersionSummary[];
  /** Why there are no commits; absent if git could be read. */
  readonly problem?: string;
}

/** The answer of `version?id=…`: a version without errors. `drawing?version=…` draws it. */
export interface Version extends Pick<StudioApi, 'schema' | 'sources'> {
  readonly id: string;
  /** The changes from this version to the API of now. */
  readonly changes: readonly SchemaChange[];
}

/**
 * The body of `replay`: sends the recorded calls to a server of a version and to one of now, with the resolvers of now.
 * The answer is a list of {@link ReplayedCall}, the oldest call first.
 */
export interface ReplayRequest {
  readonly version: string;
  /** Whether mutations are called, too. */
  readonly hasMutations: boolean;
  /** The credentials of the session, in place of those of the calls, which are not recorded. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that was replayed, and how the answer of a version differs from that of now. */
export interface ReplayedCall extends Pick<CallSummary, 'id' | 'coordinate' | 'arguments'> {
  /**
   * `fails`: the version answers with an error, and now does not. `not found`: neither finds what the call has found, so
   * their equal answers say nothing.
   */
  readonly outcome: 'equal' | 'differs' | 'fails' | 'not found' | 'left out';
  /** Why it was left out, or the error of the version, or of now. */
  readonly reason?: string;
  /** The statuses of the answers; absent if it was left out. */
  readonly statuses?: { readonly version: number; readonly now: number };
  /** The first differences of the bodies, unless one is an error and the other is not. */
  readonly differences: readonly AnswerDifference[];
}

export interface AnswerDifference {
  /** The place in the body, as a JSON pointer. */
  readonly pointer: string;
  /** The value in the answer of the version; absent if it has none. */
  readonly version?: JsonValue;
  /** The value in the answer of now; absent if it has none. */
  readonly now?: JsonValue;
}
