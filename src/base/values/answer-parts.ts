/** Whether an answer can have a status: a final one. After an informational one, clients wait for another answer. */
export function isFinalStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
}

/** Whether an answer can have a header: its name is a token, its value has no line breaks (RFC 9110, section 5). */
export function isHeader(name: unknown, value: unknown): boolean {
  return (
    typeof name === 'string' &&
    /^[!#$%&'*+.^_`|~\w-]+$/.test(name) &&
    typeof value === 'string' &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  );
}
