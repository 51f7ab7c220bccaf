import { defined } from '../../base/values/defined.js';
import type { JsonValue } from '../graph/json-value.js';
import type { GqlOperation } from '../schema/gql-schema.js';
import { restRoute } from './rest-routes.js';

/** The format of the events of streams over REST: the value alone, or in a CloudEvent. */
export const eventFormats = ['json', 'cloudevents'] as const;

export type EventFormat = (typeof eventFormats)[number];

/** An event in the format of CloudEvents 1.0 (section 3.1: required and optional attributes). */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** Identifies the event together with its source. */
  readonly id: string;
  /** The path of the stream. */
  readonly source: string;
  /** The name of the subscription. */
  readonly type: string;
  /** The id of the object that the event is about; absent if the value has no field `id`. */
  readonly subject?: string;
  /** When the log stored the event (RFC 3339); absent if no log keeps it. */
  readonly time?: string;
  /** The span that published the event (extension "Distributed Tracing"); absent if it was not traced. */
  readonly traceparent?: string;
  readonly datacontenttype: 'application/json';
  readonly data: JsonValue;
}

/** Puts the value of a subscription into a CloudEvent. */
export function cloudEventOf(
  operation: GqlOperation,
  { id, data, time, traceparent }: Pick<CloudEvent, 'id' | 'data' | 'time' | 'traceparent'>,
): CloudEvent {
  const subject = subjectOf(data);
  return {
    specversion: '1.0',
    id,
    // The path of a route may have braces, which a URI has not.
    source: encodeURI(restRoute(operation).path),
    type: operation.name,
    ...defined({ subject, time, traceparent }),
    datacontenttype: 'application/json',
    data,
  };
}

/** A CloudEvent with an example of the value of a subscription. */
export function exampleCloudEvent(operation: GqlOperation, data: JsonValue): CloudEvent {
  return cloudEventOf(operation, { id: '1x2y3z4-5a6b7c8:42-0a1b2c3', time: '2026-01-31T08:30:05.250Z', data });
}

/** The attribute must not be empty (section "subject"). */
function subjectOf(data: JsonValue): string | undefined {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined;
}
