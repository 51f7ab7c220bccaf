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

/** The colours of pictures on light and on dark: those of `web/theme.css`. */
export const palettes = {
  light: {
    page: '#fbfcfd',
    text: '#1c232b',
    quiet: '#56616d',
    box: '#f1f4f8',
    'box-line': '#8894a1',
    'box-input': '#eaf3ee',
    'box-problem': '#f9ecea',
    query: '#2860c4',
    mutation: '#1f7344',
    subscription: '#a5530f',
    union: '#7b48b5',
    nothing: '#66717c',
    field: '#66717c',
  },
  dark: {
    page: '#12161b',
    text: '#e4e9ee',
    quiet: '#a0acb8',
    box: '#222a33',
    'box-line': '#6b7885',
    'box-input': '#1e302a',
    'box-problem': '#3a2523',
    query: '#7aa9f7',
    mutation: '#6cc694',
    subscription: '#eba15c',
    union: '#c39bee',
    nothing: '#98a3ae',
    field: '#98a3ae',
  },
} as const;
