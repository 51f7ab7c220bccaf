const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The offset at which a text is nested deeper than a limit; -1 if it is not. It counts the brackets outside of strings in
 * one pass, and the text need not be JSON.
 */
export function depthExceeded(text: string, most: number): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > most) return at;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
  }
  return -1;
}

/** The offset of the quote that closes the string which begins at `start`; the end of the text if none does. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - escapes - 1) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
