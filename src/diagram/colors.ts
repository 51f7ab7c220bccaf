import type { LineKind } from './diagram.js';

/**
 * The colours of lines, readable on light and dark backgrounds. They only repeat the form of a line, so that no
 * information depends on colour.
 */
export const colors: Readonly<Record<LineKind, string>> = {
  query: '#2f6fdb',
  mutation: '#2e8b57',
  subscription: '#c2691c',
  union: '#8e5bc9',
  nothing: '#6f7882',
  field: '#8a939c',
};
