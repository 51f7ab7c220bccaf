import { computed, effect, signal } from '@preact/signals';
import { type StudioMessage, type StudioState, studioPaths } from '../../src/tools/studio/protocol.js';
import type { Selection } from '../graph/structure.js';
import { ask } from './panels/post.js';
import { followStream } from './shared-stream.js';

export type { Selection };

/** What the studio shows; undefined until the first answer. */
export const state = signal<StudioState | undefined>(undefined);

/** The title of the API, as in its documents; before one is served, the names of the files. */
export const apiTitle = computed(() => {
  const { api, title } = state.value ?? {};
  return api?.title ?? title;
});

effect(() => {
  if (apiTitle.value !== undefined) document.title = `${apiTitle.value} · gg-svc studio`;
});

/** The selected box or line of the graph: the id of a node, or the coordinate of an operation or a union. */
export const selection = signal<Selection | undefined>(undefined);

/** The id of the open tab of the panel; it stays when another part is selected. */
export const openTab = signal('source');

/** The id of the open view of the drawer; undefined if it is closed. */
export const openView = signal<string | undefined>(undefined);

/** Whether the stream of messages is open. */
export const connected = signal(false);

type Listener = (message: StudioMessage) => void;

const listeners = new Set<Listener>([
  (message) => {
    if (message.kind === 'state') void load(studioPaths.state);
  },
]);

/** Calls a function for each message, until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the state, and follows its changes. */
export function connect(): void {
  followStream({
    message(message) {
      for (const listener of listeners) listener(message);
    },
    connection(isOpen) {
      connected.value = isOpen;
      if (isOpen) void load(`${studioPaths.state}?opened`);
    },
  });
}

let loading = 0;

/** Gets the state. Of several answers only that of the last request counts. */
async function load(path: string): Promise<void> {
  const request = ++loading;
  // If the server is unreachable, the stream reports that, and the state is loaded again once it answers.
  const { value } = await ask<StudioState>(path);
  if (value !== undefined && request === loading) state.value = value;
}
