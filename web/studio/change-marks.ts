import type { SchemaChange } from '../../src/analysis/diff/model/change.js';
import { type ChangeLevel, changeLevels } from '../../src/analysis/diff/model/change-level.js';
import { operationAt, operationCoordinate } from '../../src/compiler/api/operation-coordinate.js';
import { allRoutes } from '../../src/compiler/api/rest-routes.js';
import { appendTo } from '../../src/compiler/graph/maps.js';
import { allOperations, type GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../src/compiler/schema/route-path.js';
import type { ChangeMark } from '../graph/change-mark.js';
import { nameOfPart } from '../graph/structure.js';

/** The marks of changes on the graph, by the names of parts: of what has changed, and of the operations it reaches. */
export function changeMarks(schema: GqlSchema, changes: readonly SchemaChange[]): ReadonlyMap<string, ChangeMark> {
  const levels = new Map<string, ChangeLevel[]>();
  const reached = new Set<string>();
  for (const { coordinate, level, reach } of changes) {
    const part = partOfChange(schema, coordinate);
    if (part !== undefined) appendTo(levels, part, level);
    for (const name of reach.queries) reached.add(operationCoordinate({ kind: 'query', name }));
    for (const name of reach.mutations) reached.add(operationCoordinate({ kind: 'mutation', name }));
    for (const name of reach.subscriptions) reached.add(operationCoordinate({ kind: 'subscription', name }));
  }
  const marks = new Map<string, ChangeMark>();
  const present = new Set(allOperations(schema).map(operationCoordinate));
  for (const part of reached) {
    if (present.has(part)) marks.set(part, { level: 'reached', title: 'reached by a change' });
  }
  for (const [part, all] of levels) {
    const level = changeLevels.find((each) => all.includes(each)) as ChangeLevel;
    const title = all.length === 1 ? `${level} change` : `${all.length} changes, ${level}`;
    marks.set(part, { level, title });
  }
  return marks;
}

/** The name of the part with the coordinate or the route of a change; undefined for what was removed. */
export function partOfChange(schema: GqlSchema, coordinate: string): string | undefined {
  const [, route] = /^([A-Z]+ \/[^?]*)/.exec(coordinate) ?? [];
  if (route !== undefined) {
    const found = allRoutes(schema).find(({ operation }) => routeCoordinate(operation) === route);
    return found && operationCoordinate(found.operation);
  }
  const [owner = '', first = ''] = /^\w+(?:\.\w+)?/.exec(coordinate)?.[0].split('.') ?? [];
  const operation = operationAt(schema, `${owner}.${first}`);
  if (operation !== undefined) return operationCoordinate(operation);
  if (schema.unions.some(({ name }) => name === owner)) return owner;
  const input = schema.inputs.find(({ name }) => name === owner);
  const { objects, interfaces = [], problems = [], enums, scalars } = schema;
  const types = [...objects, ...interfaces, ...problems, ...enums, ...scalars];
  const node = input?.node ?? types.find(({ name }) => name === (input?.of ?? owner))?.node;
  return node && nameOfPart({ kind: 'node', id: node.id });
}
