import type { LineKind } from './diagram.js';

/** Readable on light and dark. They only repeat the form of a line, so readers without colours miss nothing. */
export const colors: Readonly<Record<LineKind, string>> = {
  query: '#2f6fdb',
  mutation: '#2e8b57',
  subscription: '#c2691c',
  union: '#8e5bc9',
  nothing: '#6f7882',
  field: '#8a939c',
};
