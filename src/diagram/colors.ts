import type { LineKind } from './diagram.js';

/**
 * The colours of lines, dark enough for white paper and light enough for black. They only repeat what the
 * form of a line says, for those who see colours.
 */
export const colors: Readonly<Record<LineKind, string>> = {
  query: '#2f6fdb',
  mutation: '#2e8b57',
  subscription: '#c2691c',
  union: '#8e5bc9',
  nothing: '#6f7882',
  field: '#8a939c',
};
