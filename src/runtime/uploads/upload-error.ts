/** An error of an upload, with its HTTP status. Its name is that of errors for clients: graphql-js may be absent. */
export class UploadError extends Error {
  override readonly name = 'GraphQLError';
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.extensions = { code, http: { status } };
  }
}

const codes = new Set<unknown>(['UPLOAD_TOO_LARGE', 'UPLOAD_INVALID', 'UPLOAD_INTERRUPTED']);

/** Whether a code is that of a failed upload, which a client may try again with the same key. */
export function isUploadFault(code: unknown): boolean {
  return codes.has(code);
}
