import { refusedOperation } from '../auth/refused-operation.js';
import type { Problem } from './problem.js';

/** The error that refuses an operation. Messages of WebSockets and batches have no headers, so it says how long to wait. */
export function errorOfProblem({ detail, members, status, headers = [] }: Problem) {
  const header: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) header[headers[at] ?? ''] = headers[at + 1] ?? '';
  const wait = header['retry-after'];
  const extensions = { ...members, ...(wait !== undefined && { retryAfter: Number(wait) }) };
  return refusedOperation(detail, extensions, status, header);
}
