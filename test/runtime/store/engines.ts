import { storeModelOf } from '../../../src/analysis/store/tables.js';
import { compile } from '../../../src/compiler.js';

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];

/** Node.js 22.13 has `node:sqlite` without a flag; tests that open SQLite are skipped by `test.skipIf(noSqlite)`. */
export const noSqlite = major < 22 || (major === 22 && minor < 13);

/** The tables of a topology. */
export const modelOf = (source: string) => storeModelOf(compile({ name: 'store.gg', source }).schema).model;
