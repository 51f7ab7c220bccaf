/**
 * Where the objects inside lists begin and end in a JSON text that was parsed already, in order, as far
 * as they are `depth` brackets deep: `JSON.parse` tells what a text holds, and not where.
 *
 * @returns `[start, end)` of each, in UTF-16 code units
 */
export function objectPlaces(
  text: string,
  depth: number,
): readonly (readonly [start: number, end: number])[] {
  const places: (readonly [number, number])[] = [];
  let level = 0;
  let start = 0;
  // Texts in quotes are taken whole, so that brackets in them do not count.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') {
      level += 1;
      if (level === depth && token === '{') start = index;
    } else if (token === '}' || token === ']') {
      if (level === depth && token === '}') places.push([start, index + 1]);
      level -= 1;
    }
  }
  return places;
}
