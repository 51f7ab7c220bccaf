import { error, warning } from './define.js';

/** `GG7xxx`: the store. */
export const storeCodes = {
  GG7001: error('not-storable', '{place} cannot be stored: {reason}.', 'The page store.md lists what can be.'),
  GG7002: warning('not-served', 'The store does not serve {operation}: {reason}.', 'Write a resolver for it.'),
  GG7003: error(
    'migration-refused',
    'The database cannot be migrated: {reason}.',
    'The page migrations.md lists the changes that rows allow.',
  ),
  GG7004: error(
    'migration-loss',
    'The step “{step}” deletes values.',
    'Pass --allow-loss to take it; make a backup first.',
  ),
  GG7005: error(
    'rule-not-kept',
    'The rule “@store {rule}” of {place} cannot be kept: {reason}.',
    'Write “@store unique” with the names of two columns or more before a node with the label Stored.',
  ),
  GG7006: error(
    'relation-to-wide-key',
    '{place} cannot lead to {type}: no fields hold its key {key}.',
    'Name a field for each column of the key with “@store by”, in the order of the key.',
  ),
  GG7007: error('database-unreadable', 'The database cannot be read: {reason}.'),
  GG7008: error(
    'database-without-tables',
    'The database has no tables to import{reason}.',
    'A table needs a primary key.',
  ),
  GG7009: error(
    'not-seedable',
    'The table {table} cannot be seeded: {reason}.',
    'The page store.md says how rows are made.',
  ),
};
