import { computed, effect, signal } from '@preact/signals';
import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import { studioPaths } from '../../src/tools/studio/protocol.js';
import { nameOfPart, type Selection } from '../graph/structure.js';
import { ask } from './panels/post.js';
import { selection, state } from './store.js';
import { shownVersion } from './versions.js';

/** Whether everything far from the selection is dimmed. */
export const isFocused = signal(false);

/** Whether only what is around the selected operation is drawn. */
export const isAlone = signal(false);

/** The groups of a large topology that were opened, and the parts that were taken out of groups to be selected. */
export const opened = signal<readonly string[]>([]);

/** The last drawing of the whole topology: it stays while the layout of the next one is computed. */
const whole = signal<Drawing | undefined>(undefined);
/** The last drawing of what is around an operation, with open groups, or of another version; that has none without `drawing`. */
const asked = signal<{ readonly drawing?: Drawing; readonly isPart: boolean } | undefined>(undefined);

/** Whether the drawing is only a part of the topology. */
export const isPart = computed(() => asked.value?.isPart === true);

/** The drawing; undefined before there is one. */
export const drawing = computed(() => (asked.value === undefined ? whole.value : asked.value.drawing));

/** Opens a group, or takes a part out of its group. */
export function openGroup(name: string): void {
  if (!opened.peek().includes(name)) opened.value = [...opened.peek(), name];
}

/** Follows the state and the selection. */
export function followDrawing(): void {
  effect(() => {
    const api = state.value?.api;
    if (api?.drawing !== undefined) whole.value = api.drawing;
    else if (api?.undrawn !== undefined) whole.value = undefined;
  });
  effect(() => {
    const part = selection.value;
    const hasGroups = drawing.value?.boxes.some(({ group }) => group !== undefined);
    if (part !== undefined && hasGroups && isHidden(drawing.value, part)) openGroup(nameOfPart(part));
  });
  let latest = 0;
  effect(() => {
    const api = state.value?.api;
    const part = selection.value;
    const groups = opened.value;
    const version = shownVersion.value?.id;
    const request = ++latest;
    const query = new URLSearchParams(groups.map((name) => ['open', name]));
    const isAround = isAlone.value || api?.undrawn !== undefined;
    if (isAround && part?.kind === 'edge') query.set('operation', part.coordinate);
    // A node within the drawing of a part is selected there.
    else if (isAround && part !== undefined && isPart.peek() && !isHidden(asked.peek()?.drawing, part)) return;
    if (version !== undefined) query.set('version', version);
    if (api === undefined || query.size === 0) {
      asked.value = undefined;
      return;
    }
    void ask<Drawing>(`${studioPaths.drawing}?${query}`).then(({ value: loaded }) => {
      if (request !== latest) return;
      const isOther = loaded !== undefined || version !== undefined;
      const isPart = query.has('operation');
      asked.value = isOther ? { ...(loaded && { drawing: loaded }), isPart } : undefined;
    });
  });
}

/** Whether a part is not drawn, such as a node in a closed group. */
function isHidden(shown: Drawing | undefined, part: Selection): boolean {
  return part.kind === 'node'
    ? !shown?.boxes.some(({ node }) => node === part.id)
    : !shown?.lines.some(({ coordinate }) => coordinate === part.coordinate);
}
