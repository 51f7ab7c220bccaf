/**
 * Characters that terminals interpret or do not show: control characters, line separators, bidirectional marks and
 * lone surrogates. Joiners are kept, because words and emoji contain them.
 */
const unprintable =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;

const wide =
  /^(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|.\ufe0f)/u;
const halfWidth = /^[\uff61-\uffdc]/;
const noWidth = /^[\p{M}\u200c\u200d]+$/u;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Escapes text from a source file for a terminal: unprintable characters become visible escapes such as `\x1b` or
 * `\u{202e}`.
 */
export function displayText(text: string): string {
  return text.replace(unprintable, escapeCharacter);
}

/** Escapes a part of a source line for a frame; a tab is four columns wide. */
export function displayLine(text: string): string {
  return displayText(text.replaceAll('\t', '    '));
}

/** The width of a displayed text in terminal columns: East Asian characters and emoji take two. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (noWidth.test(segment)) continue;
    width += wide.test(segment) && !halfWidth.test(segment) ? 2 : 1;
  }
  return width;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
