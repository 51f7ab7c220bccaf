import { signal } from '@preact/signals';
import type { CallSummary } from '../../src/tools/studio/protocol.js';
import { count } from '../graph/live-graph.js';
import { durationText } from '../try/exchange-view.js';
import { isFailed, showCall, showRace } from './live.js';
import { askForCalls, protocolNames, timeText } from './panels/calls-tab.js';
import { runs } from './runs.js';
import { listen, openTab, selection } from './store.js';

/** The calls of all operations since the page was opened, the newest first. */
const calls = signal<readonly CallSummary[]>([]);

/** A table with more rows is slow. */
const most = 300;

const words = signal('');
const isFailedOnly = signal(false);

listen((message) => {
  if (message.kind === 'calls') calls.value = [...[...message.calls].reverse(), ...calls.value].slice(0, most);
});

/** The text of the button of the tape: `12 calls`. */
export function callsTitle(): string {
  const { length } = calls.value;
  return length === 0 ? 'Calls' : count(length, 'call');
}

/** One list of all calls, with a search. A call that is selected is shown on the graph in slow motion. */
export function CallTape() {
  if (calls.value.length === 0)
    return <p class="quiet">No call was made since the page was opened. Send one with “Try it”.</p>;
  const shown = calls.value.filter(matches);
  const longest = Math.max(...shown.map(({ duration }) => duration), 0.001);
  return (
    <>
      <p class="filters">
        <input
          type="search"
          aria-label="Search calls"
          placeholder="Operation, argument, caller …"
          value={words.value}
          onInput={({ currentTarget }) => (words.value = currentTarget.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={isFailedOnly.value}
            onChange={({ currentTarget }) => (isFailedOnly.value = currentTarget.checked)}
          />{' '}
          with errors only
        </label>
        <span role="status">
          {shown.length} of {calls.value.length}
        </span>
      </p>
      <ol class="calls tape-of-calls" aria-label="All calls">
        {shown.map((call) => (
          <Row key={call.id} call={call} longest={longest} />
        ))}
      </ol>
    </>
  );
}

function Row({ call, longest }: { readonly call: CallSummary; readonly longest: number }) {
  const { id, coordinate, protocol, start, duration, status, run, caller } = call;
  const chain = runs.value.find((one) => one.id === run)?.chain;
  return (
    <li>
      <button
        type="button"
        class="call"
        title="Show it on the graph in slow motion"
        onClick={() => {
          selection.value = { kind: 'edge', coordinate };
          openTab.value = 'calls';
          void replay(call);
        }}
      >
        <time dateTime={new Date(start).toISOString()}>{timeText(start)}</time>
        <span class={isFailed(call) ? 'status bad' : 'status good'}>
          {status ?? (isFailed(call) ? 'failed' : 'ok')}
        </span>
        <bdi class="name">{coordinate}</bdi>
        <bdi class="given">{call.arguments}</bdi>
        <bdi>{caller}</bdi>
        <span>{run === undefined ? protocolNames[protocol] : `step of ${chain ?? 'a chain'}`}</span>
        <span class="track" aria-hidden="true">
          <span class="bar" style={{ width: `${Math.max(1, (duration / longest) * 100)}%` }} key={id} />
        </span>
        <span>{durationText(duration)}</span>
      </button>
    </li>
  );
}

/** Shows a call on the graph again, slowly, with its races. */
async function replay(summary: CallSummary): Promise<void> {
  const { id, coordinate } = summary;
  showCall({ coordinate, hasFailed: isFailed(summary), isSlow: true });
  // If the server is unreachable, the page says so.
  const { value: kept } = await askForCalls(coordinate);
  for (const race of kept?.find((call) => call.id === id)?.races ?? []) showRace(race, true);
}

function matches(call: CallSummary): boolean {
  if (isFailedOnly.value && !isFailed(call)) return false;
  const { coordinate, caller = '', protocol, status = '' } = call;
  const text = `${coordinate} ${call.arguments ?? ''} ${caller} ${protocolNames[protocol]} ${status}`.toLowerCase();
  return words.value
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
