import type { JsonPlace } from '../../../base/source/json-place.js';
import type { Draft } from '../draft/draft.js';

/** One media type of a body, a response or a parameter. */
export interface Media {
  readonly type: string;
  readonly place: JsonPlace;
  readonly isJson: boolean;
}

export const formType = /^multipart\/form-data(?:;|$)/;
const urlencoded = /^application\/x-www-form-urlencoded(?:;|$)/;
const json = /^(?:application\/(?:json|[\w.+-]*\+json)(?:;|$)|\*\/\*$)/;

export const onlyJson = 'The server reads and writes JSON.';

/** The media types of a part: JSON, forms, then the others. */
export function mediaOf(part: JsonPlace): readonly Media[] {
  const rank = (type: string) => [json, formType, urlencoded, /(?:)/].findIndex((form) => form.test(type));
  return part
    .entries('content')
    .map(([type, place]) => ({ type, place, isJson: json.test(type) }))
    .toSorted((one, other) => rank(one.type) - rank(other.type));
}

/** Whether the members of a media type can be those of a JSON object. */
export function hasMembers({ type, isJson }: Media): boolean {
  return isJson || formType.test(type) || urlencoded.test(type);
}

/** Reports the media types that are not imported. */
export function reportMedia(draft: Draft, others: readonly Media[], kept: Media, subject: string): void {
  for (const { type, place } of others) draft.lose(place, `${type} of ${subject}`, `It is imported as ${kept.type}.`);
}

/** The schema of the JSON of a response or a parameter; undefined, and reported, if it has none. */
export function jsonSchema(part: JsonPlace, draft: Draft, subject: string): JsonPlace | undefined {
  const [first, ...others] = mediaOf(part);
  if (first === undefined) return undefined;
  if (!first.isJson) return draft.lose(first.place, `${first.type} of ${subject}`, onlyJson);
  reportMedia(draft, others, first, subject);
  return first.place.at('schema');
}
