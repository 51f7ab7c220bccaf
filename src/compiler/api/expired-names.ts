import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { allOperations, type GqlSchema } from '../schema/gql-schema.js';
import { routeCoordinate } from '../schema/route-path.js';
import { operationCoordinate } from './operation-coordinate.js';

/** The aliases of old names in a schema, with the coordinates of each: those of its operation and route, or of its field. */
export function aliasesOf(schema: GqlSchema) {
  const ofOperations = allOperations(schema).flatMap((one) => {
    if (one.renamed === undefined) return [];
    const coordinates = [operationCoordinate(one), routeCoordinate(one)];
    return [{ ...one.renamed, name: one.name, coordinates, span: one.edges[0]?.span }];
  });
  const ofFields = [...schema.objects, ...(schema.interfaces ?? [])].flatMap((type) =>
    type.fields.flatMap(({ name, renamed, span }) =>
      renamed === undefined ? [] : [{ ...renamed, name, coordinates: [`${type.name}.${name}`], span }],
    ),
  );
  return [...ofOperations, ...ofFields];
}

/** A warning for each old name whose last month is over (GG5029). */
export function expiredNames(schema: GqlSchema, today: string): readonly Diagnostic[] {
  return aliasesOf(schema).flatMap(({ name, to, until, span }) =>
    span !== undefined && until < today.slice(0, until.length)
      ? [diagnose('GG5029', { old: name, current: to, until }, span)]
      : [],
  );
}
