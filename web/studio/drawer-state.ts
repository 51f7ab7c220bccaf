import { signal } from '@preact/signals';

/** The id of the open view of the drawer; undefined if it is closed. */
export const openView = signal<string | undefined>(undefined);
