/** The settings of a server that callers notice, as the project file has them below `server`. */
export interface ServerSettings {
  readonly auth?: AuthSettings | undefined;
  /** The maximum number of items in a page; false without a maximum. */
  readonly pageSize: number | false;
}

export interface AuthSettings {
  readonly jwt?: {
    readonly issuer?: string | readonly string[] | undefined;
    readonly audience?: string | readonly string[] | undefined;
    readonly algorithms?: readonly string[] | undefined;
    readonly types?: readonly string[] | undefined;
    readonly jwks?: string | undefined;
    readonly secretFrom?: string | undefined;
  };
  readonly apiKeys?: { readonly keys: readonly KeySettings[] };
}

interface KeySettings {
  readonly id: string;
  readonly sha256: string;
  readonly scopes?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}
