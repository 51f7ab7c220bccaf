import { error, warning } from './define.js';

/** `GG7xxx`: the store. */
export const storeCodes = {
  GG7001: error(
    'not-storable',
    '{place} cannot be stored: {reason}.',
    'The page store.md lists what can be.',
  ),
  GG7002: warning(
    'not-served',
    'The store does not serve {operation}: {reason}.',
    'Write a resolver for it.',
  ),
  GG7009: error(
    'not-seedable',
    'The table {table} cannot be seeded: {reason}.',
    'The page store.md says how rows are made.',
  ),
};
