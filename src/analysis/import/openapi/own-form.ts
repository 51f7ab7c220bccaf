import type { JsonPlace } from '../../../base/source/json-place.js';
import type { Draft, DraftValue } from '../draft/draft.js';
import type { OwnTypes } from './own-types.js';
import { idName } from './schema-parts.js';

/** The arguments of a route that takes a form only: each of its files is required (docs/uploads.md). */
export function formArguments(form: JsonPlace, types: OwnTypes, draft: Draft, subject: string): readonly DraftValue[] {
  const parts = new Map(form.entries('properties'));
  const names = new Set([...parts.keys()].map((part) => part.split('.')[0] as string));
  return [...names].flatMap((name): DraftValue[] => {
    const text = parts.get(name);
    const files = [...parts].filter(([part]) => part.startsWith(`${name}.`));
    const [first] = files;
    if (first === undefined) return text ? [textArgument(name, text)] : [];
    // The files of an input are parts of their own, and the text has its other fields.
    const ofFiles = files.map(([part, schema]) => [part.slice(name.length + 1), schema] as const);
    const [input, twin] = types.inputsWith(new Map([...(text?.entries('properties') ?? []), ...ofFiles]));
    const { place } = first[1];
    const shown = `argument ${name} of ${subject}`;
    if (input === undefined) return draft.lose(place, shown, 'No input has the fields of these parts.') ?? [];
    if (twin !== undefined) draft.lose(place, shown, `It is a ${input}: ${twin} has the same fields.`);
    return [{ name, type: `${input}!`, description: text?.text('description'), tags: [], place }];
  });

  function textArgument(name: string, schema: JsonPlace): DraftValue {
    const value = types.argumentOf(name, schema, subject, true);
    const bare = value.type.replace(/!$/, '');
    const isSure = form.texts('required').includes(name) || value.fallback !== undefined;
    return { ...value, type: `${bare === 'String' && idName.test(name) ? 'ID' : bare}${isSure ? '!' : ''}` };
  }
}
