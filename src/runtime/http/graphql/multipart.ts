import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { ProblemError } from '../../call/problem.js';
import type { Form } from '../../uploads/form.js';
import { readJsonText } from '../read-body.js';
import { problemOfForm } from '../read-form.js';

/**
 * Reads the operations of a form by the GraphQL multipart request specification: the JSON of the part `operations`, with the
 * files in the places that the part `map` gives them. The files may still arrive.
 */
export function readMultipart(form: Form, readOperations: (text: string) => JsonValue): JsonValue {
  const texts = new Map<string, string>();
  for (let at = 0; at < form.texts.length; at += 2) texts.set(form.texts[at] as string, form.texts[at + 1] as string);
  const operations = texts.get('operations');
  if (operations === undefined) throw refused('the part “operations” must precede the files');
  const read = readOperations(operations);
  const map = readJsonText(texts.get('map') ?? '{}', '“map”');
  for (const [name, paths] of Object.entries(map ?? {})) {
    if (!Array.isArray(paths)) throw refused(`“map.${name}” must be a list of paths`);
    for (const path of paths) placeFile(read, String(path), form, name);
  }
  try {
    form.seal();
  } catch (error) {
    throw problemOfForm(error);
  }
  return read;
}

/** Puts a file where the operations have null: at `variables.…`, or in a batch at `0.variables.…`. */
function placeFile(operations: JsonValue, path: string, form: Form, name: string): void {
  const steps = path.split('.');
  const last = steps.pop() as string;
  let place: unknown = operations;
  for (const step of steps) place = isHolder(place) && Object.hasOwn(place, step) ? place[step] : undefined;
  const isVariable = steps[Array.isArray(operations) ? 1 : 0] === 'variables';
  if (!isVariable || !isHolder(place) || !Object.hasOwn(place, last) || place[last] !== null)
    throw refused(`the operations have no null at “${path}”`);
  place[last] = form.expect(name);
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function refused(reason: string): ProblemError {
  const detail = `The form is not a GraphQL multipart request: ${reason}.`;
  return new ProblemError({ status: 400, detail, members: { code: 'BAD_REQUEST' } });
}
