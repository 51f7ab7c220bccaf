import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noSqlite } from '../runtime/store/engines.js';
import { clinicExample, testClinic } from './clinic-example.js';

describe('the clinic example', () => {
  test('has at most 40 lines of code beside its topology', () => {
    const code = readFileSync(`${clinicExample}/clinic.resolvers.mjs`, 'utf8').trimEnd().split('\n');
    expect(code.length).toBeLessThanOrEqual(40);
  });

  test.skipIf(noSqlite)('passes its workflows on SQLite', async () => {
    expect(await testClinic({ file: 'clinic.sqlite' })).toContain('8 workflows passed, 0 failed');
  });
});
