/**
 * Whether two JSON values are equal; the order of members is irrelevant. It stops at the first difference, so comparing
 * a long list with many short ones costs no more than the short ones.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, at) => sameJson(item, other[at]));
  }
  const members = Object.entries(one);
  const others = other as Readonly<Record<string, unknown>>;
  return (
    members.length === Object.keys(others).length &&
    members.every(([name, member]) => Object.hasOwn(others, name) && sameJson(member, others[name]))
  );
}

/** A replacer for `JSON.stringify`: JSON has no BigInt, which becomes its text. */
export function bigIntAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
