import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Span } from '../../base/source/span.js';
import { baseName } from '../graph/type-ref.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { isComposite } from '../schema/schema-index.js';
import { answerType } from './rest-routes.js';
import { describeFieldFault, readFieldTree, selectPaths } from './selection.js';

/** Checks the fields that edges and tags name as default fields against the types that have them (GG3065). */
export function checkDefaultFields(schema: GqlSchema): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const check = (place: string, type: string, paths: readonly string[], span: Span | undefined): void => {
    if (span === undefined) return;
    const report = (reason: string) => diagnostics.push(diagnose('GG3065', { place, reason }, span));
    if (!isComposite(schema, type)) {
      report(`${type} has no fields.`);
      return;
    }
    const refuse = (fault: Parameters<typeof describeFieldFault>[0]) => report(describeFieldFault(fault, true));
    selectPaths({ schema, refuse, whole: () => undefined }, type, readFieldTree(paths));
  };
  for (const operation of [...schema.queries, ...schema.mutations]) {
    const { name, fields, edges } = operation;
    if (fields !== undefined) check(name, baseName(answerType(operation)), fields, edges[0]?.span);
  }
  for (const { name: owner, fields } of [...schema.objects, ...(schema.interfaces ?? [])]) {
    for (const { name, type, page, fields: paths, span } of fields)
      if (paths !== undefined) check(`${owner}.${name}`, page?.node ?? baseName(type), paths, span);
  }
  return diagnostics;
}
