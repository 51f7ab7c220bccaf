import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import type { Ways } from './ways.js';

/**
 * One shape of leak: a guarded value that reaches callers who do not meet its access, although everything that they
 * name and select was checked. Its findings are errors.
 *
 * To add a shape: one file in this folder, one line in `find-leaks.ts`, a diagnostic, and a section in docs/leaks.md.
 */
export type LeakRule = (schema: GqlSchema, ways: Ways) => Iterable<Diagnostic>;
