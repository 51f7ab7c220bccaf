import { JsonView } from './code-text.js';
import { Problem } from './problem.js';
import type { ApiHeader } from './request.js';
import type { Exchange } from './send.js';

/** A request and its answer. */
export function ExchangeView({ exchange }: { readonly exchange: Exchange }) {
  const { request, status, headers, body, events, problem, isOpen, duration } = exchange;
  return (
    <section class="exchange" aria-label="Exchange">
      <p class="line" role="status">
        {status === undefined ? null : (
          <strong class={status < 400 ? 'status good' : 'status bad'}>
            {status} {statusTexts[status] ?? ''}
          </strong>
        )}
        {duration === undefined ? null : <span>{durationText(duration)}</span>}
        {events === undefined ? null : <span>{events.filter(({ event }) => event === 'next').length} events</span>}
        {isOpen ? <span>{events === undefined ? 'waiting …' : 'listening …'}</span> : null}
      </p>
      <Problem text={problem} />
      {events === undefined ? null : (
        <ol class="events">
          {events.map(({ event, data, after }, at) => (
            <li key={at}>
              <span class="quiet">
                {event} after {durationText(after)}
              </span>
              {data === '' ? null : <JsonView text={data} label={`Event ${at + 1}`} />}
            </li>
          ))}
        </ol>
      )}
      {body === undefined || body === '' ? null : <JsonView text={body} label="Body of the response" />}
      {headers === undefined ? null : (
        <details>
          <summary>Response headers</summary>
          <Headers headers={headers} />
        </details>
      )}
      <details>
        <summary>Request</summary>
        <p class="line">
          <strong>{request.method}</strong> <code>{request.url}</code>
        </p>
        <Headers headers={request.headers} />
        {request.body === undefined ? null : <JsonView text={request.body} label="Body of the request" />}
      </details>
    </section>
  );
}

/** Headers, one a line. */
export function Headers({ headers }: { readonly headers: readonly ApiHeader[] }) {
  return (
    <dl class="headers">
      {headers.map(({ name, value }, at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A duration for readers: `3.2 ms`, `1.50 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** HTTP/2 has no reason phrases, so the usual ones are said here. */
const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
