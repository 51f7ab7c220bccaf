import { sameJson } from '../../base/json-schema/same-json.js';
import { follow, pointerStep } from '../../base/source/json-pointer.js';
import { defined } from '../../base/values/defined.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { redacted } from '../../runtime/logs/redact.js';
import type { AnswerDifference, Call, ReplayedCall } from './protocol.js';
import { shownBody } from './redact-call.js';
import { isKeptHeader, reasonAgainstRepeat } from './save-test.js';

/** A server of a version. */
export interface ReplayServer {
  fetch(request: Request): Response | Promise<Response>;
  close?(): Promise<void>;
}

interface ReplayOptions {
  readonly hasMutations: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly endpoint: string;
  /** The schema that is served now, with its channels. */
  readonly schema: GqlSchema;
}

/** The number of calls that are replayed: the last ones. */
const mostCalls = 200;
/** The number of differences of an answer that are shown. */
const mostDifferences = 5;

/** Sends calls, one after another, to a server of a version and to one of now, and compares their answers. */
export async function replayCalls(
  calls: readonly Call[],
  servers: { readonly version: ReplayServer; readonly now: ReplayServer },
  { hasMutations, schema, ...options }: ReplayOptions,
): Promise<readonly ReplayedCall[]> {
  const replayed: ReplayedCall[] = [];
  // A subscription has no single answer; the steps of a chain are repeated by its call.
  const whole = calls.filter(({ coordinate, run }) => !coordinate.startsWith('Subscription.') && !run);
  // The operations of a request are calls of their own; it is sent once.
  const sent = new Map<string, ReturnType<typeof compare>>();
  for (const call of whole.slice(-mostCalls)) {
    const { id, coordinate, arguments: given } = call;
    const shown = defined({ id, coordinate, arguments: given });
    const reason =
      coordinate.startsWith('Mutation.') && !hasMutations
        ? 'It is a mutation.'
        : isBatch(call) && !hasMutations
          ? 'It is part of a batch, which may have mutations.'
          : reasonAgainstRepeat(call, schema);
    if (reason !== undefined) replayed.push({ ...shown, outcome: 'left out', reason, differences: [] });
    else {
      const key = JSON.stringify([call.start, call.request]);
      if (!sent.has(key)) {
        const both = [servers.version, servers.now].map((server) => answerOf(server, call, options));
        const [version, now] = (await Promise.all(both)) as [Answer, Answer];
        sent.set(key, compare(version, now, call));
      }
      replayed.push({ ...shown, ...(sent.get(key) as ReturnType<typeof compare>) });
    }
  }
  return replayed;
}

function isBatch({ request: { body = '' } }: Call): boolean {
  return body.trimStart().startsWith('[');
}

type Sent = Pick<ReplayOptions, 'headers' | 'endpoint'>;

interface Answer {
  readonly status: number;
  readonly body: JsonValue;
  /** Why the call failed; undefined if it did not. */
  readonly problem: string | undefined;
}

async function answerOf(server: ReplayServer, call: Call, options: Sent): Promise<Answer> {
  const response = await server.fetch(requestOf(call, options));
  const { status } = response;
  const text = shownBody(await response.text(), [], Number.POSITIVE_INFINITY);
  const body = parse(text);
  const { errors, detail, title } = (body ?? {}) as {
    readonly errors?: readonly { readonly message?: string }[];
    readonly detail?: string;
    readonly title?: string;
  };
  if (status < 400 && !Array.isArray(errors)) return { status, body, problem: undefined };
  const problem = errors?.[0]?.message ?? detail ?? title ?? `It answers ${status}.`;
  // Each masked error has a reference of its own.
  return { status, body: parse(text, (key, value) => (key === 'reference' ? undefined : value)), problem };
}

/** @throws {ProblemError} If the headers of the session cannot be sent. */
function requestOf({ request }: Call, { headers, endpoint }: Sent): Request {
  const { method = 'POST', url = endpoint, body } = request;
  const own = Object.entries(request.headers).filter(
    ([name, value]) => isKeptHeader(name) && !value.includes(redacted),
  );
  const type = request.method === undefined ? { 'content-type': 'application/json' } : {};
  try {
    const sent = { ...type, ...Object.fromEntries(own), ...headers };
    return new Request(`http://localhost${url}`, { method, headers: sent, body: body ?? null });
  } catch (error) {
    throw new ProblemError({ status: 400, detail: `The call cannot be sent: ${(error as Error).message}` });
  }
}

function compare(version: Answer, now: Answer, call: Call): Omit<ReplayedCall, 'id' | 'coordinate' | 'arguments'> {
  const statuses = { version: version.status, now: now.status };
  const reason = version.problem ?? now.problem;
  // An error and a result have nothing in common.
  if ((version.problem === undefined) !== (now.problem === undefined)) {
    const outcome = now.problem === undefined ? 'fails' : 'differs';
    return { outcome, statuses, differences: [], ...(reason && { reason }) };
  }
  const differences = [...differencesOf(version.body, now.body, '')].slice(0, mostDifferences);
  const isEqual = version.status === now.status && differences.length === 0;
  if (isEqual && isNothing(now) && !isNothing({ status: call.status, body: parse(call.answer ?? '') })) {
    return { outcome: 'not found', statuses, differences, reason: 'The ids of the call are unknown to both.' };
  }
  return { outcome: isEqual ? 'equal' : 'differs', statuses, differences, ...(reason && { reason }) };
}

/** Whether an answer says that nothing was found: over GraphQL, by null for all fields or by the code of its errors. */
function isNothing({ status, body }: { readonly status: number | undefined; readonly body: JsonValue }): boolean {
  const { data, errors } = (body ?? {}) as { readonly data?: JsonValue; readonly errors?: readonly JsonValue[] };
  if (isTree(data) && Object.values(data).some((value) => value !== null)) return false;
  if (status === 404 || body === null) return true;
  if (!Array.isArray(errors)) return isTree(data);
  return errors.every((error) => follow(error, ['extensions', 'code']) === 'NOT_FOUND');
}

/** The places at which two JSON values differ. */
function* differencesOf(
  version: JsonValue | undefined,
  now: JsonValue | undefined,
  pointer: string,
): Iterable<AnswerDifference> {
  if (sameJson(version, now)) return;
  if (isTree(version) && isTree(now) && Array.isArray(version) === Array.isArray(now)) {
    for (const name of new Set([...Object.keys(version), ...Object.keys(now)]))
      yield* differencesOf(own(version, name), own(now, name), `${pointer}${pointerStep(name)}`);
  } else yield defined({ pointer, version, now });
}

function isTree(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null;
}

function own(tree: { readonly [name: string]: JsonValue }, name: string): JsonValue | undefined {
  return Object.hasOwn(tree, name) ? tree[name] : undefined;
}

/** A body that is not JSON is a text. */
function parse(text: string, revive?: (key: string, value: JsonValue) => JsonValue | undefined): JsonValue {
  try {
    return JSON.parse(text, revive) as JsonValue;
  } catch {
    return text;
  }
}
