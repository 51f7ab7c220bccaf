import { isSettled, parseSegment, type Segment } from './segment.js';

/** What came of cutting: the segments, and the end of the text where no segment could be closed. */
export interface Cutting {
  readonly segments: readonly Segment[];
  /** Empty when everything is in the segments. */
  readonly rest: string;
}

/**
 * Cuts a stretch of a file into segments that can be parsed by themselves.
 *
 * A cut is tried where a line begins with a parenthesis, before the comments that belong to that line.
 * What stands before it is parsed, and where it doesn't end as it must, more text is taken.
 *
 * @param segmentLength about how many characters a segment has
 * @param isEnd whether the file ends with the text; its last segment need not end in any particular way
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
      // Doubling keeps the work for a long stretch without an end in proportion to its length.
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

/** The first place from `at` on where a statement seems to begin; undefined when there is none. */
function nextCut(text: string, at: number): number | undefined {
  const found = text.indexOf('\n(', at);
  if (found === -1) return undefined;
  // The comments above a statement go with it, because they may be its documentation.
  let cut = found;
  while (cut > at) {
    const lineStart = text.lastIndexOf('\n', cut - 1) + 1;
    if (lineStart <= at || !/^[ \t]*\/\//.test(text.slice(lineStart, cut))) break;
    cut = lineStart - 1;
  }
  return text[cut - 1] === '\r' ? cut - 1 : cut;
}
