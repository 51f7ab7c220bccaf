/** The files of `src` that a warm request enters, in the order of their first function. */
export function measureWalk(
  request: string,
  follow?: string,
): Promise<readonly { readonly file: string; readonly calls: number; readonly functions: ReadonlySet<string> }[]>;
