const unitInMilliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds of `50ms`, `1.5s`, `2m`, `12h` or `2d`; undefined for other texts. */
export function readDuration(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,10}(?:\.\d{1,10})?) ?(ms|[smhd])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitInMilliseconds[unit] as number);
}
