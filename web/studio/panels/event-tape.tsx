import { type PublishedEvent, type PublishRequest, studioPaths } from '../../../src/tools/studio/protocol.js';
import { count } from '../../graph/live-graph.js';
import { JsonView } from '../../try/code-text.js';
import { Problem } from '../../try/problem.js';
import { listen } from '../store.js';
import { timeText } from './calls-tab.js';
import { addEvents, events } from './events.js';
import { PartLink } from './part-link.js';
import { usePost } from './post.js';

listen((message) => {
  if (message.kind === 'events') events.value = addEvents(events.value, message.events);
});

/** The text of the button of the tape: `3 events`. */
export function eventsTitle(): string {
  const { length } = events.value;
  return length === 0 ? 'Events' : count(length, 'event');
}

/** The events that were published, to how many subscribers, and a button that publishes one again. */
export function EventTape() {
  if (events.value.length === 0)
    return <p class="quiet">No event was published since the page was opened. Mutations with FORK edges publish.</p>;
  return (
    <ol class="tape">
      {events.value.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ol>
  );
}

function EventRow({ event }: { readonly event: PublishedEvent }) {
  const { id, subscription, at, payload, deliveredTo, problem } = event;
  const { problem: refusal, isBusy, send } = usePost(studioPaths.publish);
  return (
    <li>
      <p class="line">
        <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
        <PartLink part={`Subscription.${subscription}`}>{subscription}</PartLink>
        <span>to {count(deliveredTo, 'subscriber')}</span>
        <button
          type="button"
          class="small"
          disabled={isBusy || payload === undefined}
          aria-label={`Republish ${subscription} of ${timeText(at)}`}
          onClick={() => void send({ event: id } satisfies PublishRequest)}
        >
          Republish
        </button>
      </p>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      <Problem text={refusal} />
      {payload === undefined ? (
        <p class="quiet">The payload is larger than 64 KiB or has no JSON form.</p>
      ) : (
        <details>
          <summary>
            <code>{shortText(JSON.stringify(payload))}</code>
          </summary>
          <JsonView text={JSON.stringify(payload)} label={`Payload of ${subscription}`} />
        </details>
      )}
    </li>
  );
}

function shortText(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
