import { GraphQLError } from 'graphql';

const codes = new Set<unknown>(['UPLOAD_TOO_LARGE', 'UPLOAD_INVALID', 'UPLOAD_INTERRUPTED']);

/** An error of an upload, which is meant for the client, with its HTTP status. */
export function uploadError(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

/** Whether a code is that of a failed upload, which a client may try again with the same key. */
export function isUploadFault(code: unknown): boolean {
  return codes.has(code);
}
