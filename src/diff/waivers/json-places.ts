/**
 * The ranges of the objects inside lists that are `depth` brackets deep, in order, in a JSON text that is known
 * to be valid. `JSON.parse` gives no positions.
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
  // String literals are matched whole, so that brackets in them do not count.
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
