/**
 * Whether a number is a multiple of another. Fractions are the decimals that JSON writes, and integers are exact: 0.3 is
 * a multiple of 0.1, and 9007199254740991 is not one of 2.
 */
export function isMultiple(value: number | bigint, of: number): boolean {
  if (of === 0 || !Number.isFinite(of)) return false;
  if (typeof value === 'number' && !Number.isFinite(value)) return false;
  if (Number.isInteger(value) && Number.isInteger(of)) return (value as number) % of === 0;
  const [dividend, divisor] = [decimalOf(value), decimalOf(of)];
  const places = Math.max(dividend.places, divisor.places);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(places - number.places);
  return scaled(dividend) % scaled(divisor) === 0n;
}

/** The number `digits / 10 ** places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint' || Number.isInteger(value)) return { digits: BigInt(value), places: 0 };
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}
