import { afterEach, expect, test, vi } from 'vitest';
import {
  beginText,
  endText,
  pieceLength,
  takeText,
  writeAscii,
  writeBytes,
  writeString,
  writeText,
} from '../../../../src/runtime/execute/compiled/json-text.js';

afterEach(() => vi.restoreAllMocks());

test.each([
  ['writeAscii', writeAscii],
  ['writeBytes', (text: string): true => writeBytes(Buffer.from(text))],
  ['writeText', writeText],
  ['writeString', writeString],
] as const)('the memory of a long text is given back after %s, also inside another text', (_, write) => {
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const text = 'x'.repeat(2 << 20);
  const outer = beginText();
  writeAscii('[');
  const inner = beginText();
  write(text);
  const written = takeText();
  endText(inner);
  expect(takeText()).toBe('[');
  endText(outer);
  expect(written.replaceAll('"', '')).toBe(text);
  expect(allocate.mock.calls.at(-1)).toEqual([2 * pieceLength]);
});

test('a short text allocates no buffer', () => {
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const outer = beginText();
  writeString('Ada');
  expect(takeText()).toBe('"Ada"');
  endText(outer);
  expect(allocate).not.toHaveBeenCalled();
});
