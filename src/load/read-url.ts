import { diagnose } from '../diagnostics/diagnostic.js';
import { decodeTopology, maxTopologyBytes, type Reading, type ReadProblem, tooLarge } from './reading.js';

/** How long one URL may take, in milliseconds. */
const timeout = 10_000;

/**
 * Fetches one topology file. Whatever stands in the way is a finding: no answer, an answer other than 2xx or
 * none in ten seconds (GG4007), bytes that are not UTF-8 (GG4003), too many (GG4004). Never rejects.
 */
export async function readTopologyUrl(url: string): Promise<Reading> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/plain, */*;q=0.5' },
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return unfetchable(url, `the answer was ${response.status} ${response.statusText}`.trimEnd());
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop cancels the rest, so an endless answer costs no more than the limit.
      if (size > maxTopologyBytes) return tooLarge(url, size);
    }
    return decodeTopology(url, Buffer.concat(chunks, size));
  } catch (error) {
    return unfetchable(url, reasonOf(error as Error));
  }
}

function unfetchable(url: string, reason: string): ReadProblem {
  return { ok: false, absent: false, problem: (place) => diagnose('GG4007', { url, reason }, place) };
}

/** `fetch failed` says nothing; why is in its cause. */
function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer in ${timeout / 1000} seconds`;
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
