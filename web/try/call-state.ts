import { type Signal, signal } from '@preact/signals';
import { operationCoordinate } from '../../src/compiler/api/operation-coordinate.js';
import { remember } from '../../src/compiler/graph/maps.js';
import type { GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { type Credentials, credentialHeaders, noCredentials } from './credentials.js';
import { type ApiRequest, type CallForm, fitForm, initialForm } from './request.js';
import { type Exchange, type Fetch, send } from './send.js';
import { sessionSignal } from './session.js';

/** The credentials of all calls of the session. */
export const credentials: Signal<Credentials> = sessionSignal('credentials', () => noCredentials);

/** Where calls go. */
export interface Target {
  /** Sends a request. */
  readonly fetch: Fetch;
  /** `http://localhost:4000` */
  readonly origin: string;
  /** The path of GraphQL. */
  readonly endpoint: string;
}

/** What the session keeps of an operation, and its last exchange. */
export interface CallState {
  readonly form: Signal<CallForm>;
  readonly exchange: Signal<Exchange | undefined>;
  /** Ends the exchange. */
  controller: AbortController;
}

const states = new Map<string, CallState>();

/** The state of an operation; a form of an earlier topology is fitted to this one. */
export function callState(schema: GqlSchema, operation: GqlOperation): CallState {
  const coordinate = operationCoordinate(operation);
  return remember(states, coordinate, () => {
    const initial = () => initialForm(schema, operation);
    const form = sessionSignal(`call ${coordinate}`, initial, (kept) => fitForm(schema, operation, kept));
    return { form, exchange: signal(undefined), controller: new AbortController() };
  });
}

/** Sends a request with the credentials of the session; ends the exchange before it. */
export function startCall(state: CallState, schema: GqlSchema, request: ApiRequest, { fetch, origin }: Target): void {
  state.controller.abort();
  const controller = new AbortController();
  state.controller = controller;
  const given = credentialHeaders(schema, credentials.value);
  const own = request.headers.filter(({ name }) => !given.some((header) => header.name === name.toLowerCase()));
  const sent = { ...request, headers: [...own, ...given] };
  void send(fetch, origin, sent, controller.signal, (exchange) => {
    // After a further call has begun, the former one reports its end.
    if (state.controller === controller) state.exchange.value = exchange;
  });
}
