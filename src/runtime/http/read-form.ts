import type { GraphQLError } from 'graphql';
import { operationProblem, ProblemError } from '../call/problem.js';
import type { Limits } from '../limits/limits.js';
import { formTooLarge, receiveForm } from '../uploads/form.js';
import { UploadError } from '../uploads/upload-error.js';
import { hasPreflight, isForeign } from './csrf.js';
import type { Exchange } from './exchange.js';
import { refuseCompressed } from './read-body.js';

/** Whether the body of a request is a form that may have files. */
export function isForm(exchange: Exchange): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(exchange.header('content-type') ?? '');
}

/** Refuses a form of a page of another site, which browsers send with the cookies of a user, without a preflight. */
export function refuseForeignForm(exchange: Exchange): void {
  if (!isForm(exchange) || !isForeign(exchange) || hasPreflight(exchange)) return;
  const detail =
    'A page of another site could have sent this form. Send it with a header such as graphql-require-preflight: 1.';
  throw new ProblemError({ status: 400, detail, members: { code: 'CSRF_PREVENTED' } });
}

/** Reads the form of a request up to its first file into `exchange.form`. */
export async function openForm(exchange: Exchange, limits: Limits): Promise<undefined> {
  refuseCompressed(exchange);
  const { body, files, fileBytes } = limits;
  try {
    if (Number(exchange.header('content-length') ?? 0) > body + files * fileBytes) throw formTooLarge(limits);
    const contentType = exchange.header('content-type') ?? '';
    const { client } = exchange;
    exchange.form = await receiveForm({ body: exchange.openBody(), contentType, limits, client });
  } catch (error) {
    throw problemOfForm(error);
  }
}

/** The problem of an error of a form; other errors stay as they are. */
export function problemOfForm(error: unknown): unknown {
  return error instanceof UploadError ? new ProblemError(operationProblem([error as unknown as GraphQLError])) : error;
}
