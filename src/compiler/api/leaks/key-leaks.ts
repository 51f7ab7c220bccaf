import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { lackingClauses, printClause } from '../../graph/access.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import { allOperations, type GqlField, type GqlObjectType, type GqlSchema } from '../../schema/gql-schema.js';
import { batchKeyOf } from '../batch-key.js';
import type { LeakRule } from './leak-rule.js';
import { printPath, rootOf, spanOf, type Way, type Ways } from './ways.js';

/** GG3084: a guarded key is the id of an object that callers may read, or a part of the cursors of a page. */
export const keyLeaks: LeakRule = (schema, ways) => [
  ...ofRelations(schema, ways),
  ...ofCursors(schema, ways),
];

/** The key `authorId` of the field `author` is the field `id` of the author. */
function* ofRelations(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  for (const type of schema.objects) {
    for (const field of type.fields) {
      const id = idOf(ways.types.get(baseName(field.type)));
      if (id === undefined || nullable(field.type).kind === 'list') continue;
      const name = batchKeyOf(schema, type, field)?.field;
      const key = type.fields.find((one) => one.name === name);
      if (key === undefined || key.name === 'id') continue;
      const target = ways.types.get(baseName(field.type)) as GqlObjectType;
      for (const clause of lackingClauses(key, type, field, target, id)) {
        const way = ways.to(type.name, clause);
        if (way === undefined) continue;
        const steps = [
          ...way.steps,
          `${type.name}.${field.name}`,
          `${target.name}.id is ${type.name}.${key.name}`,
        ];
        const params = {
          key: `${type.name}.${key.name}`,
          lacking: printClause(clause),
          path: printPath(steps, [clause]),
        };
        yield diagnose('GG3084', params, field.span ?? spanOf(way.operation));
      }
    }
  }
}

/** A cursor has the id of its item, and is no secret. */
function* ofCursors(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  for (const operation of allOperations(schema)) {
    if (operation.page === undefined || operation.open !== undefined) continue;
    for (const item of ways.typesOf(operation.page.node)) {
      const clauses = lackingClauses(idOf(item) ?? {}, operation, item);
      const way = { operation, steps: [rootOf(operation), operation.name] };
      if (clauses.length > 0) yield cursorLeak(way, item, clauses, spanOf(operation));
    }
  }
  for (const type of schema.objects) {
    for (const field of type.fields) {
      for (const item of field.page === undefined ? [] : ways.typesOf(field.page.node)) {
        for (const clause of lackingClauses(idOf(item) ?? {}, type, field, item)) {
          const way = ways.to(type.name, clause);
          if (way === undefined) continue;
          const steps = [...way.steps, `${type.name}.${field.name}`];
          yield cursorLeak({ ...way, steps }, item, [clause], field.span ?? spanOf(way.operation));
        }
      }
    }
  }
}

function cursorLeak(
  { steps }: Way,
  { name }: GqlObjectType,
  lacking: Parameters<typeof printPath>[1],
  span: Diagnostic['span'],
): Diagnostic {
  const path = printPath([...steps, `cursor with ${name}.id`], lacking);
  return diagnose('GG3084', { key: `${name}.id`, lacking: lacking.map(printClause).join(', '), path }, span);
}

function idOf(type: GqlObjectType | undefined): GqlField | undefined {
  return type?.fields.find(({ name }) => name === 'id');
}
