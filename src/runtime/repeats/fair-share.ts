/** The number of accounts whose base there is always room for, whatever others keep. */
export const guaranteedAccounts = 256;

/** The bytes of a key beyond its text. */
export const overhead = 512;

/** The charge of a run at its beginning, in bytes. An outcome of up to 4 KiB is then kept whatever others keep. */
export const firstCharge = overhead + 4_096;

/** The part of a store that an account may always use, in bytes. */
export function baseOf(size: number): number {
  return size / (4 * guaranteedAccounts);
}

/**
 * Whether an account may use this much. It may use its base as long as there is any room, and beyond that half of what is
 * free in the first three quarters of the store: alone a quarter of the store, beside other large accounts less. The last
 * quarter is for bases only, so an account within its base is refused only if {@link guaranteedAccounts} others have keys
 * as well. Nothing is dropped to make room.
 *
 * @param own - What the account would use, in bytes.
 * @param total - What all would use, this account included.
 */
export function isWithinShare(own: number, total: number, size: number): boolean {
  return own <= baseOf(size) ? total <= size : own <= (0.75 * size - total) / 2;
}
