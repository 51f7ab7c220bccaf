import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { clausesOf, joinAccess, printClause } from '../../graph/access.js';
import { isStored } from '../../schema/schema-index.js';
import type { LeakRule } from './ways.js';

/** GG3083: a guarded field has a constant, which stands in public documents and in the topology itself. */
export const constantLeaks: LeakRule = function* ({ objects }) {
  for (const type of objects) {
    // The default of a column applies to new rows; a row has a value of its own.
    if (isStored(type)) continue;
    for (const field of type.fields) {
      // The constant of a layer, and the id that a node without fields has, are no secrets of an author.
      if (field.fallback === undefined || field.span === undefined) continue;
      const clauses = clausesOf(joinAccess(type, field));
      if (clauses.length === 0) continue;
      const params = { field: `${type.name}.${field.name}`, lacking: clauses.map(printClause).join(', ') };
      yield diagnose('GG3083', params, field.span);
    }
  }
};
