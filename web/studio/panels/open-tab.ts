import { signal } from '@preact/signals';

/** The id of the open tab; it stays when another part is selected. */
export const openTab = signal('source');
