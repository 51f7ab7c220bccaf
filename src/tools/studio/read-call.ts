import { type CollectedSpan, SpanTrace } from '../../base/tracing/span-collector.js';
import { defined } from '../../base/values/defined.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { WholeBody } from '../../runtime/http/answer.js';
import type { OperationLabel, Protocol } from '../../runtime/http/telemetry/operation-labels.js';
import type { RecordedRun } from '../../runtime/http/telemetry/recorded-run.js';
import { maxRecorded } from '../../runtime/http/telemetry/recorded-size.js';
import type { TrackedRequest } from '../../runtime/http/telemetry/tracked-request.js';
import { redactText, secretsOf } from '../../runtime/logs/redact.js';
import type { Call, CallRequest, CallSpan, CallSummary, RaceResult } from './protocol.js';
import { shownBody, shownHeaders } from './redact-call.js';

export class RunTrace extends SpanTrace {
  readonly races: RaceResult[] = [];
}

/** A call as it has ended. It refers to its request until {@link readCall} copies what is kept. */
export interface EndedCall {
  readonly label: OperationLabel;
  readonly protocol: Protocol;
  /** Times are those of `performance.now()`. */
  readonly start: number;
  readonly end: number;
  readonly status: number | undefined;
  readonly errors: number;
  /** Undefined for a call of the program itself. */
  readonly request: TrackedRequest | undefined;
  /** Undefined for a request that was refused before its operation ran. */
  readonly run: RecordedRun | undefined;
}

/** The copy of a call that is kept: without credentials, and without references to its request. */
export function readCall(summary: CallSummary, call: EndedCall): Call {
  const { start, end, request, run } = call;
  const answer = answerOf(call);
  const secrets = request === undefined ? [] : secretsOf(request.source);
  const trace = run?.trace;
  return defined({
    ...summary,
    request: requestOf(call, secrets),
    answer: answer && shownBody(answer, secrets, maxRecorded),
    spans: (trace?.spans ?? []).map((span) => spanOf(span, start, end)),
    races: trace instanceof RunTrace ? trace.races : [],
  });
}

function requestOf({ protocol, request, run }: EndedCall, secrets: readonly string[]): CallRequest {
  if (request === undefined || protocol === 'ws') {
    const body = run && shownBody(JSON.stringify(run.request()), secrets, maxRecorded);
    return defined({ headers: {}, body });
  }
  const { source } = request;
  const { method, path, query, text } = source;
  return {
    method,
    url: redactText(query === '' ? path : `${path}?${query}`, secrets),
    headers: shownHeaders(source, secrets),
    ...(text !== '' && { body: shownBody(text, secrets, maxRecorded) }),
  };
}

function answerOf({ protocol, request, run }: EndedCall): string | undefined {
  if (request !== undefined && (protocol === 'rest' || protocol === 'graphql')) return textOf(request.body);
  return run === undefined || run.results === '' ? undefined : run.results;
}

function textOf(body: WholeBody): string | undefined {
  if (body === null || typeof body === 'string') return body ?? undefined;
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body);
  return bytes.length === 0 ? undefined : new TextDecoder().decode(bytes.subarray(0, 4 * maxRecorded));
}

function spanOf(span: CollectedSpan, from: number, to: number): CallSpan {
  const { id, parent, name, start, end, attributes, error } = span;
  return defined({
    id: String(id),
    parent: parent === undefined ? undefined : String(parent),
    name,
    start: round(start - from),
    // A cancelled branch of a race may still run when its call has ended.
    duration: round((end ?? to) - start),
    attributes: JSON.parse(JSON.stringify(attributes)) as Record<string, JsonValue>,
    error: error && redactText(error, []),
  });
}

/** To microseconds. */
export function round(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds * 1000) / 1000);
}
