import { argumentsIn, segmentsOf } from '../../schema/route-path.js';

/**
 * The segments of a path as Postman writes them. The name of a variable begins a segment and ends at a dot: `:id.json`.
 * Any other segment with texts and arguments is one variable, without dots in its name: `:{base}%2E%2E%2E{head}`.
 */
export function postmanSegments(path: string): readonly string[] {
  return segmentsOf(path).map((segment) => {
    if (!segment.includes('{')) return segment;
    const { name, text } = pathVariable(segment);
    return `:${name}${segment.slice(text.length)}`;
  });
}

/** The variable of a segment with arguments: its name, and the part of the segment that it stands for. */
export function pathVariable(segment: string): { readonly name: string; readonly text: string } {
  const [, text, name] = /^(\{(\w+)\})(?:\.[^{]*)?$/.exec(segment) ?? [];
  if (text !== undefined && name !== undefined) return { name, text };
  return { name: segment.replaceAll('.', '%2E'), text: segment };
}

/** A segment of a route from one that begins with a variable: `{id}.json` from `:id.json`. */
export function segmentOfVariable(segment: string): string {
  const [, name = '', rest = ''] = /^:([^.]*)(.*)$/s.exec(segment) ?? [];
  return name.includes('{') ? name.replaceAll('%2E', '.') + rest : `{${name}}${rest}`;
}

/** The arguments of a variable, by its name: `['base', 'head']` of `{base}%2E%2E%2E{head}`. */
export function variableArguments(name: string): readonly string[] {
  return name.includes('{') ? argumentsIn(name) : [name];
}
