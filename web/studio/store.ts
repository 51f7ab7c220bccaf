import { signal } from '@preact/signals';
import { type StudioMessage, type StudioState, studioPaths } from '../../src/studio/protocol.js';

/** What the studio shows; undefined until the first answer. */
export const state = signal<StudioState | undefined>(undefined);

/** The selected box or line of the graph: the id of a node, or the coordinate of an operation or a union. */
export const selection = signal<Selection | undefined>(undefined);

/** Whether the stream of messages is open. */
export const connected = signal(false);

/** A part of the graph. */
export type Selection =
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'edge'; readonly coordinate: string };

/** A receiver of messages. */
export type Listener = (message: StudioMessage) => void;

const listeners = new Set<Listener>([
  (message) => {
    if (message.kind === 'state') void load();
  },
]);

/** Calls a function for each message, until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the state, and follows its changes. The browser reconnects when the server has restarted. */
export function connect(): void {
  const source = new EventSource(studioPaths.messages);
  source.onopen = () => {
    connected.value = true;
    void load();
  };
  source.onerror = () => {
    connected.value = false;
  };
  source.onmessage = ({ data }) => {
    const message = JSON.parse(data) as StudioMessage;
    for (const listener of listeners) listener(message);
  };
}

async function load(): Promise<void> {
  const response = await fetch(studioPaths.state);
  if (response.ok) state.value = await response.json();
}
