/** The sources from which a page may load; everything else is refused. Each is a list of sources, such as `'self'`. */
export interface PageSources {
  readonly script?: string;
  readonly style?: string;
  readonly img?: string;
  readonly font?: string;
  readonly worker?: string;
  readonly connect?: string;
  /** Where its forms are sent. Default: nowhere. */
  readonly form?: string;
  /**
   * The pages that may embed it; undefined for a page that is a file: browsers read that from headers alone. Default:
   * none.
   */
  readonly ancestors?: string | undefined;
}

/** Prints the `Content-Security-Policy` of a page. All pages have theirs from here. */
export function pagePolicy(sources: PageSources): string {
  const { form = "'none'", ...rest } = sources;
  const ancestors = 'ancestors' in sources ? sources.ancestors : "'none'";
  const loaded = (['script', 'style', 'img', 'font', 'worker', 'connect'] as const).flatMap((kind) =>
    rest[kind] === undefined ? [] : [`${kind}-src ${rest[kind]}`],
  );
  return [
    "default-src 'none'",
    ...loaded,
    "base-uri 'none'",
    `form-action ${form}`,
    ...(ancestors === undefined ? [] : [`frame-ancestors ${ancestors}`]),
  ].join('; ');
}
