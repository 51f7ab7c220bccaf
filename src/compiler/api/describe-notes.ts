import type { GqlEnumType } from '../schema/gql-schema.js';

/** A description with the reason of a deprecation, for formats that have no member for it. */
export function withReason(
  description: string | undefined,
  deprecated: string | undefined,
): string | undefined {
  if (deprecated === undefined) return description;
  return `${description === undefined || description === '' ? '' : `${description}\n\n`}Deprecated: ${deprecated}`;
}

/** The description of an enum with those of its values, for formats that have no member for them. */
export function describeEnum({ description, values, valueNotes }: GqlEnumType): string | undefined {
  if (valueNotes === undefined) return description;
  const lines = values.flatMap((value, at) => {
    const { description: text, deprecated } = valueNotes[at] ?? {};
    const said = [text?.replaceAll(/\s*\n\s*/g, ' '), deprecated && `Deprecated: ${deprecated}`].filter(
      Boolean,
    );
    return said.length === 0 ? [] : [`- \`${value}\`: ${said.join(' ')}`];
  });
  return [description, lines.join('\n')].filter(Boolean).join('\n\n');
}
