import type { Span } from '../../../base/source/span.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import {
  allRoutes,
  answerType,
  hasContent,
  placeArguments,
  type RestRoute,
  restRoute,
} from '../../../compiler/api/rest-routes.js';
import { answerSelection, type Selection } from '../../../compiler/api/selection.js';
import { baseName, nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate, shapeOf } from '../../../compiler/schema/route-path.js';
import { inputTypeOf, inputTypeRef, isComposite } from '../../../compiler/schema/schema-index.js';
import { type QueryParameterStyle, queryParameterStyle } from '../../../compiler/schema/wire.js';
import type { Finding } from '../model/change.js';
import {
  type ComparedSchema,
  type Comparison,
  changeOf,
  pairByKey,
  pairByName,
  partOf,
  routePart,
  spanOfTarget,
} from '../model/comparison.js';
import { isSafeType } from '../model/part-changes.js';

/**
 * The REST inventory. A query that became a mutation is the same path with another method; an operation that stays may
 * get another route.
 */
export function* routeChanges(comparison: Comparison) {
  const { before, after } = comparison;
  const { removed, added, kept } = pairByKey(
    new Map(allRoutes(before.schema).map((route) => [keyOf(route), route])),
    new Map(allRoutes(after.schema).map((route) => [keyOf(route), route])),
  );
  const unpaired = new Set(added);
  for (const route of removed) {
    const moved = [...unpaired].find(
      (one) =>
        isStream(one) === isStream(route) &&
        (shapeOf(one.path) === shapeOf(route.path) ||
          operationCoordinate(one.operation) === operationCoordinate(route.operation)),
    );
    if (moved !== undefined) {
      unpaired.delete(moved);
      yield movedRoute(comparison, route, moved);
      continue;
    }
    const part = routePart(comparison, route.operation, route.operation);
    const place = { ...part, spans: { ...part.spans, after: spanOfTarget(after, route.operation) } };
    const notes = ['removed', 'no such edge leads here'] as const;
    const message = `The route ${part.coordinate} was removed.`;
    yield changeOf(place, 'route-removed', message, notes, { absentIn: 'after' });
  }
  for (const { operation } of unpaired) {
    const coordinate = routeCoordinate(operation);
    const part = partOf(comparison, operationCoordinate(operation), 'after');
    const spans = { ...part.spans, before: spanOfTarget(before, operation) };
    const touch = { in: 'after', operations: [operation], restOnly: true } as const;
    const notes = ['no such edge led here', 'added'] as const;
    const message = `The route ${coordinate} was added.`;
    yield changeOf({ coordinate, spans, touch }, 'route-added', message, notes, { absentIn: 'before' });
  }
  for (const pair of kept) yield* statusChanges(comparison, ...pair);
}

function movedRoute(comparison: Comparison, old: RestRoute, found: RestRoute): Finding {
  const part = routePart(comparison, old.operation, found.operation);
  const hasPath = shapeOf(old.path) === shapeOf(found.path);
  const successor = routeCoordinate(found.operation);
  const [was, is] = hasPath ? [old.method, found.method] : [part.coordinate, successor];
  const kind = hasPath ? 'route-method-changed' : 'route-changed';
  const message = `The route ${part.coordinate} became ${successor}.`;
  return changeOf(part, kind, message, [`was ${was}`, `is ${is}`]);
}

/** The statuses of responses without an error, with a result and without one: one change of the route. */
function* statusChanges(comparison: Comparison, old: RestRoute, found: RestRoute) {
  const [was, is] = [old.operation, found.operation];
  const success = [was.status ?? 200, is.status ?? 200] as const;
  const empty = [statusOfNull(was), statusOfNull(is)] as const;
  const hasSuccess = success[0] !== success[1];
  const hasEmpty = was.nullStatus !== is.nullStatus && empty[0] !== empty[1];
  if (!hasSuccess && !hasEmpty) return;
  const parts = [
    ...(hasSuccess ? [`with a result changed from ${success[0]} to ${success[1]}`] : []),
    ...(hasEmpty ? [`without a result changed from ${empty[0]} to ${empty[1]}`] : []),
  ];
  const [before, after] = hasSuccess ? success : empty;
  const part = routePart(comparison, was, is);
  const message = `The status of ${part.coordinate} ${parts.join(', and ')}.`;
  const level = hasEmpty || hasContent(was) !== hasContent(is) ? 'breaking' : 'dangerous';
  yield changeOf(part, 'answer-status-changed', message, [`${before} here`, `${after} here`], { level });
}

function statusOfNull({ nullStatus, status = 200 }: GqlOperation): number {
  return nullStatus ?? status;
}

/** A query and a subscription may have the same route. */
function keyOf(route: RestRoute): string {
  return `${route.method} ${shapeOf(route.path)}${isStream(route) ? ' events' : ''}`;
}

function isStream({ operation }: RestRoute): boolean {
  return operation.kind === 'subscription';
}

/**
 * The encoding of query arguments in a query string. One more optional input field is safe in GraphQL, but a field
 * that is a list or an input turns the whole argument into JSON in the query string.
 */
export function* queryStringChanges(comparison: Comparison) {
  for (const operations of comparison.operations.kept) {
    const [was = [], is = []] = operations.map((operation) => placeArguments(restRoute(operation)).query);
    for (const pair of pairByName(was, is).kept) yield* styleChange(comparison, operations, ...pair);
    yield* fieldsTaken(comparison, operations, was, is);
  }
}

function* styleChange(
  comparison: Comparison,
  operations: readonly [GqlOperation, GqlOperation],
  old: GqlArgument,
  found: GqlArgument,
) {
  const { before, after } = comparison;
  const types = [inputTypeRef(before.schema, old.type), inputTypeRef(after.schema, found.type)] as const;
  // A changed type is reported as such, not also as a changed encoding.
  if (!isSafeType(...types, 'given')) return;
  const [was, is] = [queryParameterStyle(before.schema, old.type), queryParameterStyle(after.schema, found.type)];
  if (was === is) return;
  const { name } = old;
  const part = routePart(comparison, ...operations);
  const spans = {
    before: deepField(before.schema, old) ?? old.span ?? part.spans.before,
    after: deepField(after.schema, found) ?? found.span,
  };
  const message = `In ${part.coordinate} the argument ${name} is now sent as ${forms[is](name)} instead of ${forms[was](name)}.`;
  const notes = [`sent as ${forms[was](name)}`, `sent as ${forms[is](name)}`] as const;
  const place = { ...part, coordinate: `${part.coordinate}?${name}`, spans };
  yield changeOf(place, 'parameter-style-changed', message, notes);
}

/** `?fields=` narrows an answer, unless an argument has that name. */
function* fieldsTaken(
  comparison: Comparison,
  [old, found]: readonly [GqlOperation, GqlOperation],
  was: readonly GqlArgument[],
  is: readonly GqlArgument[],
) {
  const isFields = ({ name }: GqlArgument) => name === 'fields';
  const taken = is.find(isFields);
  if (taken === undefined || was.some(isFields)) return;
  if (!isComposite(comparison.after.schema, baseName(answerType(found)))) return;
  const part = routePart(comparison, old, found);
  const spans = { ...part.spans, after: taken.span ?? part.spans.after };
  const message = `In ${part.coordinate} the parameter fields is now an argument and no longer narrows the response.`;
  const notes = ['fields narrows the response', 'fields is an argument'] as const;
  const place = { ...part, coordinate: `${part.coordinate}?fields`, spans };
  yield changeOf(place, 'fields-parameter-taken', message, notes);
}

const forms: Readonly<Record<QueryParameterStyle, (name: string) => string>> = {
  text: (name) => `${name}=…`,
  repeated: (name) => `${name}=…&${name}=…`,
  deepObject: (name) => `${name}[…]=…`,
  json: (name) => `${name}={…}`,
};

/** The place of the first field that is not a leaf; undefined if all fields are leaves. */
function deepField(schema: GqlSchema, { type }: GqlArgument): Span | undefined {
  const input = inputTypeOf(schema, baseName(type));
  return input?.fields.find((field) => {
    const bare = nullable(field.type);
    return bare.kind === 'list' || inputTypeOf(schema, bare.name) !== undefined;
  })?.span;
}

/** Arguments that REST reads from another header now, or no longer from one. The names of headers ignore case. */
export function* headerArgumentChanges(comparison: Comparison) {
  for (const [old, found] of comparison.operations.kept) {
    for (const [was, is] of pairByName(old.arguments, found.arguments).kept) {
      if (was.header?.toLowerCase() === is.header?.toLowerCase()) continue;
      const part = routePart(comparison, old, found);
      const [before, after] = [placeOf(was), placeOf(is)];
      const spans = { before: was.span ?? part.spans.before, after: is.span ?? part.spans.after };
      const message = `In ${part.coordinate} the argument ${was.name} is read from ${after} instead of ${before}.`;
      const place = { ...part, coordinate: `${part.coordinate}?${was.name}`, spans };
      yield changeOf(place, 'argument-header-changed', message, [`read from ${before}`, `read from ${after}`]);
    }
  }
}

function placeOf({ header }: GqlArgument): string {
  return header === undefined ? 'no header' : `the header ${header}`;
}

/**
 * The REST response without `?fields=`. Its size is limited, so when a type grows, objects nested below it may be
 * left out of the response, although `?fields=` can still select each field.
 */
export function* answerChanges(comparison: Comparison) {
  const { before, after } = comparison;
  const { kept } = pairByKey(answering(before.schema), answering(after.schema));
  for (const [old, found] of kept) {
    const was = selectedPaths(answerSelection(before.schema, old));
    const is = selectedPaths(answerSelection(after.schema, found));
    const part = routePart(comparison, old, found);
    const notes = ['returned here', 'returned here'] as const;
    // Removed and added fields of a type are reported at the type.
    const lost = [...was].filter(([path, at]) => !is.has(path) && hasField(after, at)).map(([path]) => path);
    if (lost.length > 0) {
      const message = `The response of ${part.coordinate} no longer contains ${enumerate(lost)}, unless ?fields= selects it.`;
      yield changeOf(part, 'answer-narrowed', message, notes);
    }
    const won = [...is].filter(([path, at]) => !was.has(path) && hasField(before, at)).map(([path]) => path);
    if (won.length > 0) {
      const message = `The response of ${part.coordinate} now contains ${enumerate(won)} by default.`;
      yield changeOf(part, 'answer-widened', message, notes);
    }
  }
}

function answering(schema: GqlSchema): ReadonlyMap<string, GqlOperation> {
  return new Map(allRoutes(schema).map(({ operation }) => [routeCoordinate(operation), operation]));
}

type FieldPlace = readonly [type: string, field: string];

/** The paths that a selection reads: `team.lead.name`. A member of a union is a step of the path. */
function selectedPaths(selection: Selection | undefined): ReadonlyMap<string, FieldPlace> {
  const paths = new Map<string, FieldPlace>();
  const visit = ({ type, fields, members }: Selection, prefix: string): void => {
    for (const { name, selection: inner } of fields) {
      paths.set(`${prefix}${name}`, [type, name]);
      if (inner !== undefined) visit(inner, `${prefix}${name}.`);
    }
    for (const { selection: member } of members) visit(member, `${prefix}${member.type}:`);
  };
  if (selection !== undefined) visit(selection, '');
  return paths;
}

function hasField({ types }: ComparedSchema, [type, field]: FieldPlace): boolean {
  const found = types.get(type);
  return found?.kind === 'object' && found.type.fields.some(({ name }) => name === field);
}

function enumerate(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length <= 3 ? shown : `${shown} and ${paths.length - 3} more`;
}
