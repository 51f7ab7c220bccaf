import { computed, effect, signal } from '@preact/signals';
import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import { studioPaths } from '../../src/tools/studio/protocol.js';
import { selection, state } from './store.js';

/** Whether everything far from the selection is dimmed. */
export const isFocused = signal(false);

/** Whether only what is around the selected operation is drawn. A topology that is too large is drawn no other way. */
export const isAlone = signal(false);

/** The last drawing of the whole topology: it stays while the layout of the next one is computed. */
const whole = signal<Drawing | undefined>(undefined);
/** The drawing of what is around an operation. */
const around = signal<Drawing | undefined>(undefined);

/** Whether the drawing is only a part of the topology. */
export const isPart = computed(() => around.value !== undefined);

/** The drawing; undefined before there is one. */
export const drawing = computed(() => around.value ?? whole.value);

/** Follows the state and the selection. */
export function followDrawing(): void {
  effect(() => {
    const api = state.value?.api;
    if (api?.drawing !== undefined) whole.value = api.drawing;
    else if (api?.undrawn !== undefined) whole.value = undefined;
  });
  let latest = 0;
  effect(() => {
    const api = state.value?.api;
    const part = selection.value;
    const request = ++latest;
    if (api === undefined || !(isAlone.value || api.undrawn !== undefined)) {
      around.value = undefined;
      return;
    }
    if (part?.kind === 'edge') {
      void loadAround(part.coordinate).then((loaded) => {
        if (request === latest) around.value = loaded;
      });
    } else if (part !== undefined && !around.peek()?.boxes.some(({ node }) => node === part.id)) {
      around.value = undefined;
    }
  });
}

/** The drawing of what is around an operation or a union; undefined if the server has none. */
async function loadAround(coordinate: string): Promise<Drawing | undefined> {
  try {
    const response = await fetch(`${studioPaths.drawing}?operation=${encodeURIComponent(coordinate)}`);
    return response.ok ? await response.json() : undefined;
  } catch {
    // The server is unreachable: the page says so, and loads the state again once it answers.
    return undefined;
  }
}
