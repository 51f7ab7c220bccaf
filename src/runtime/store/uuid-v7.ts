import { randomUUID } from 'node:crypto';

let last = 0;
let count = 0;

/**
 * A UUID of version 7 (RFC 9562, section 5.7): the time in milliseconds, a counter in `rand_a` that keeps the ids of one
 * process in order (section 6.2, method 1), and 62 random bits.
 */
export function uuidV7(now: number = Date.now()): string {
  if (now > last) {
    last = now;
    count = 0;
  } else {
    // Within one millisecond, or after the clock went back.
    count += 1;
    if (count > 0xfff) {
      last += 1;
      count = 0;
    }
  }
  const counter = count.toString(16).padStart(3, '0');
  // The random end of version 4 is that of version 7, and Node.js keeps random bytes for it.
  return `${uuidStart(last)}-7${counter}${randomUUID().slice(18)}`;
}

/** The beginning of the UUIDs of a time: those of earlier times sort before it. */
export function uuidStart(time: number): string {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
