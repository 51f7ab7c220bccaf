import { parseUrl } from '../source/parse-url.js';

/** Checked hosts. A server has few names, so the cache stays small. */
const known = new Set<string>();
const maxKnown = 100;

/** Whether the value of a `Host` header is a host with an optional port. Parsing is slow, so results are kept. */
export function isHost(host: string): boolean {
  if (known.has(host)) return true;
  if (!/^([\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(:\d*)?$/i.test(host)) return false;
  if (parseUrl(`http://${host}/`) === undefined) return false;
  if (known.size >= maxKnown) known.clear();
  known.add(host);
  return true;
}
