import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '../../../../src/runtime/http/telemetry/operation-labels.js';

/**
 * Texts that look like a code in the sources: names of the environment, errors of Node.js and of other packages, methods
 * of Chevrotain, and the codes of the single mistakes in an answer, which has one code itself.
 */
const foreign =
  /^(?:ERR|OTEL|SVC|GG)_|^(?:MODULE_NOT_FOUND|CONNECT_TIMEOUT)$|^(?:AT_LEAST_ONE|MANY)(?:_SEP)?$|^(?:MISSING|UNKNOWN|INVALID)_ARGUMENT$/;
const list = join('src', 'runtime', 'http', 'telemetry', 'operation-labels.ts');

test('the list of codes, which metrics have as labels, has all codes in the sources and no other', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => file.endsWith('.ts') && file !== list);
  const found = new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)+|FORBIDDEN|UNAUTHENTICATED)'|\bcode: '([A-Z]+)'/g)]
        .map(([, several, single]) => several ?? (single as string))
        .filter((code) => !foreign.test(code)),
    ),
  );
  expect([...errorCodes].sort()).toEqual([...found].sort());
});
