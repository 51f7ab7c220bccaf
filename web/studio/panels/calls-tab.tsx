import { useEffect, useState } from 'preact/hooks';
import type { GqlOperation } from '../../../src/compiler/schema/gql-schema.js';
import { type Call, type SavedTest, studioPaths, type TestRequest } from '../../../src/tools/studio/protocol.js';
import { count } from '../../graph/live-graph.js';
import { callState, startCall } from '../../try/call-state.js';
import { CodeText, JsonView } from '../../try/code-text.js';
import { durationText, Headers } from '../../try/exchange-view.js';
import { Problem } from '../../try/problem.js';
import { readCall } from '../../try/read-call.js';
import { type ApiHeader, type ApiRequest, requestOf } from '../../try/request.js';
import { isFailed } from '../live.js';
import { connected, listen, openTab } from '../store.js';
import { ask, usePost } from './post.js';
import type { TabProps } from './subject.js';
import { ownTarget } from './try-tab.js';
import { Waterfall } from './waterfall.js';

/** The last calls of the selected operation. */
export function CallsTab({ state, api, subject }: TabProps) {
  if (subject.kind !== 'operation') return null;
  return <Calls state={state} api={api} operation={subject.operation} coordinate={subject.coordinate} />;
}

interface CallsProps extends Omit<TabProps, 'subject'> {
  readonly operation: GqlOperation;
  readonly coordinate: string;
}

function Calls(props: CallsProps) {
  const { calls, problem } = useCalls(props.coordinate);
  const [opened, open] = useState<string>();
  return (
    <>
      <Problem text={problem} />
      {calls === undefined ? (
        problem === undefined && <p class="quiet">Loading …</p>
      ) : calls.length === 0 ? (
        <p class="quiet">No calls were recorded while a studio was open. Send one with “Try it”.</p>
      ) : (
        <ul class="calls" aria-label="Last calls">
          {calls.map((call) => (
            <li key={call.id}>
              <button
                type="button"
                class="call"
                aria-expanded={call.id === opened}
                onClick={() => open(call.id === opened ? undefined : call.id)}
              >
                <time dateTime={new Date(call.start).toISOString()}>{timeText(call.start)}</time>
                <span class={isFailed(call) ? 'status bad' : 'status good'}>
                  {call.status ?? (isFailed(call) ? 'failed' : 'ok')}
                </span>
                <span>{protocolNames[call.protocol]}</span>
                <span>{durationText(call.duration)}</span>
                <span class="bad">{call.errors === 0 ? '' : count(call.errors, 'error')}</span>
              </button>
              {call.id === opened ? <CallDetails {...props} call={call} /> : null}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export const protocolNames: Readonly<Record<Call['protocol'], string>> = {
  rest: 'REST',
  graphql: 'GraphQL',
  sse: 'SSE',
  ws: 'WebSocket',
  mcp: 'MCP',
  process: 'in process',
};

/** The last calls of an operation. */
export function askForCalls(coordinate: string) {
  return ask<readonly Call[]>(`${studioPaths.calls}?${new URLSearchParams({ coordinate })}`);
}

/** Keeps the list of calls up to date. While the server is unreachable, the last list stays. */
function useCalls(coordinate: string) {
  const [calls, setCalls] = useState<readonly Call[]>();
  const [problem, setProblem] = useState<string>();
  const isConnected = connected.value;
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      timer = undefined;
      const { value, problem: refusal } = await askForCalls(coordinate);
      if (isGone) return;
      if (value !== undefined) setCalls(value);
      setProblem(refusal && `The calls cannot be loaded. ${refusal}`);
    };
    void load();
    const end = listen((message) => {
      if (message.kind !== 'calls' || timer !== undefined) return;
      if (message.calls.some((call) => call.coordinate === coordinate)) timer = setTimeout(load, 200);
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
      end();
    };
  }, [coordinate, isConnected]);
  return { calls, problem };
}

function CallDetails({ call, ...props }: CallsProps & { readonly call: Call }) {
  const { request, answer, spans, races, duration } = call;
  const body = request.body;
  const headers = headersOf(call);
  return (
    <div class="details">
      <p class="actions">
        <button type="button" onClick={() => replay(props, call)}>
          Replay
        </button>
        {props.state.canWrite ? <SaveAsTest call={call} /> : null}
      </p>
      {spans.length === 0 ? null : <Waterfall spans={spans} duration={duration} />}
      {races.map(({ union, winner, cancelled }, at) => (
        <p key={at}>
          Race {union}: {winner === undefined ? 'no branch won' : `${winner} won`}
          {cancelled.length === 0 ? '' : `; cancelled: ${cancelled.join(', ')}`}.
        </p>
      ))}
      <h3>Request</h3>
      <p class="line">
        <strong>{request.method}</strong> <code>{request.url}</code>
      </p>
      {headers.length === 0 ? null : (
        <details>
          <summary>Headers</summary>
          <Headers headers={headers} />
        </details>
      )}
      {body === undefined || body === '' ? null : <JsonView text={body} label="Body of the recorded request" />}
      <h3>Answer</h3>
      {answer === undefined || answer === '' ? (
        <p class="quiet">It has no body.</p>
      ) : (
        <JsonView text={answer} label="Recorded answer" />
      )}
    </div>
  );
}

/**
 * Fills the form of the operation with a call, and sends it with the credentials of the session. A request that the
 * form cannot express is sent as it was recorded.
 */
function replay({ state, api, operation }: CallsProps, call: Call): void {
  const { schema } = api;
  const target = ownTarget(state);
  const own = callState(schema, operation);
  const form = readCall(schema, operation, call.protocol, call.request);
  if (form !== undefined) own.form.value = form;
  const request =
    form === undefined ? recordedRequest(call, target.endpoint) : requestOf(schema, operation, form, target.endpoint);
  startCall(own, schema, request, target);
  openTab.value = 'try';
}

/** Headers of the connection are those of the new request. */
function recordedRequest(call: Call, endpoint: string): ApiRequest {
  const { request, protocol } = call;
  const kept = ['accept', 'content-type'];
  return {
    method: request.method ?? 'POST',
    url: request.url ?? endpoint,
    headers: headersOf(call).filter(
      ({ name }) => kept.includes(name) || (protocol === 'rest' && name === 'idempotency-key'),
    ),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

function headersOf({ request }: Call): readonly ApiHeader[] {
  return Object.entries(request.headers).map(([name, value]) => ({ name: name.toLowerCase(), value }));
}

function SaveAsTest({ call }: { readonly call: Call }) {
  const { value: saved, problem, isBusy, send } = usePost<SavedTest>(studioPaths.test);
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void send({ call: call.id } satisfies TestRequest)}>
        Save as test
      </button>
      {problem === undefined ? null : (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
      {saved === undefined ? null : (
        <span class="saved">
          <span role="status">
            Saved as <code>{saved.path}</code>
          </span>
          <CodeText label="Text of the test">{saved.text}</CodeText>
        </span>
      )}
    </>
  );
}

/** The time of day with milliseconds: `12:00:00.123`. */
export function timeText(at: number): string {
  const time = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  const seconds = `${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
  return `${two(time.getHours())}:${two(time.getMinutes())}:${seconds}`;
}
