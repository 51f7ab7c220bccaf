import { isSettled, parseSegment, type Segment } from './segment.js';

/** The segments of a text, and the rest that does not form a segment yet. */
export interface Cutting {
  readonly segments: readonly Segment[];
  /** Empty when everything is in the segments. */
  readonly rest: string;
}

/**
 * Cuts a part of a file into segments that can be parsed independently.
 *
 * A candidate for a cut is a line that begins with a parenthesis, including the comments above it. The text before it is
 * parsed; if it is not settled, the segment grows to a later candidate.
 *
 * @param segmentLength the approximate length of a segment in characters
 * @param isEnd whether the text ends the file: the last segment need not be settled
 */
export function cutIntoSegments(name: string, text: string, segmentLength: number, isEnd: boolean): Cutting {
  const segments: Segment[] = [];
  let from = 0;
  let length = segmentLength;
  for (;;) {
    const to = nextCut(text, from + length);
    if (to === undefined) break;
    const segment = parseSegment(name, text.slice(from, to));
    if (isSettled(segment)) {
      segments.push(segment);
      from = to;
      length = segmentLength;
    } else {
      // Doubling keeps the work linear in the length of a part without a cut.
      length = (to - from) * 2;
    }
  }
  const rest = text.slice(from);
  if (rest === '' && segments.length > 0) return { segments, rest };
  const segment = parseSegment(name, rest);
  if (!isEnd && !isSettled(segment)) return { segments, rest };
  segments.push(segment);
  return { segments, rest: '' };
}

/** The first offset from `at` on where a statement seems to begin. */
function nextCut(text: string, at: number): number | undefined {
  const found = text.indexOf('\n(', at);
  if (found === -1) return undefined;
  // The comments above a statement stay with it: they may be its documentation.
  let cut = found;
  while (cut > at) {
    const lineStart = text.lastIndexOf('\n', cut - 1) + 1;
    if (lineStart <= at || !/^[ \t]*\/\//.test(text.slice(lineStart, cut))) break;
    cut = lineStart - 1;
  }
  return text[cut - 1] === '\r' ? cut - 1 : cut;
}
