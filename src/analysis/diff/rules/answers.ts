import { allRoutes } from '../../../compiler/api/rest-routes.js';
import { answerSelection, type Selection } from '../../../compiler/api/selection.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../../compiler/schema/route-path.js';
import { type ComparedSchema, type Comparison, changeOf, pairByKey, routePart } from '../model/comparison.js';

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
