/**
 * What a terminal would act on instead of showing it: control characters (colours, cursor movements,
 * titles), line separators, marks that reverse the direction of writing, and halves of characters.
 * Joiners are left alone, since real words and emoji hold them.
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
 * Text from a source file, made safe for a terminal: whatever is not printable becomes a visible
 * escape such as `\x1b` or `\u{202e}`.
 */
export function displayText(text: string): string {
  return text.replace(unprintable, escapeCharacter);
}

/** A part of a source line made safe for a frame, where a tab may stand and is four columns wide. */
export function displayLine(text: string): string {
  return displayText(text.replaceAll('\t', '    '));
}

/** How many terminal columns a displayed text takes: East Asian and emoji characters take two. */
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
