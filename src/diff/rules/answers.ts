import { allRoutes, answerType } from '../../api/rest-routes.js';
import { defaultSelection, type Selection } from '../../api/selection.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { ComparedSchema, Comparison } from '../model/comparison.js';
import { pairByKey } from '../model/pair-by-name.js';
import { placeAt, spanOfOperation } from '../model/places.js';
import { routeCoordinate } from '../model/route-coordinate.js';

/**
 * The REST response without `?fields=`. Its size is limited, so when a type grows, objects nested below it may be
 * left out of the response, although `?fields=` can still select each field.
 */
export function* answerChanges({ before, after }: Comparison): Iterable<Finding> {
  const { kept } = pairByKey(answering(before.schema), answering(after.schema));
  for (const [[route, old], [, found]] of kept) {
    const was = selectedPaths(defaultSelection(before.schema, answerType(old)));
    const is = selectedPaths(defaultSelection(after.schema, answerType(found)));
    const places = {
      before: placeAt(spanOfOperation(old), 'returned here'),
      after: placeAt(spanOfOperation(found), 'returned here'),
    };
    const touch = { in: 'before', operations: [old], restOnly: true } as const;
    // Removed and added fields of a type are reported at the type.
    const lost = [...was].filter(([path, at]) => !is.has(path) && hasField(after, at)).map(([path]) => path);
    if (lost.length > 0) {
      const message = `The response of ${route} no longer contains ${enumerate(lost)}, unless ?fields= selects it.`;
      yield { kind: 'answer-narrowed', level: 'breaking', coordinate: route, message, ...places, touch };
    }
    const won = [...is].filter(([path, at]) => !was.has(path) && hasField(before, at)).map(([path]) => path);
    if (won.length > 0) {
      const message = `The response of ${route} now contains ${enumerate(won)} by default.`;
      yield { kind: 'answer-widened', level: 'safe', coordinate: route, message, ...places, touch };
    }
  }
}

function answering(schema: GqlSchema): ReadonlyMap<string, readonly [route: string, GqlOperation]> {
  return new Map(
    allRoutes(schema).map(({ operation }) => {
      const route = routeCoordinate(operation);
      return [route, [route, operation] as const];
    }),
  );
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
