import { readFileSync } from 'node:fs';

/** Everything a command uses of the process, so that tests can replace it. */
export interface CliIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Reads standard input to its end, or until it has more bytes than the limit. */
  readonly readStdin: (limit: number) => Promise<Uint8Array>;
  /** Asks on the terminal; resolves to undefined when the user cancels. Undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** The root of the package, with a final slash: it holds `package.json` and `docs/`. */
  readonly packageRoot: URL;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** The widths of the terminal; absent without one. */
  readonly stdoutColumns?: number | undefined;
  readonly stderrColumns?: number | undefined;
  /** A monotonic clock in milliseconds, for durations. */
  readonly clock: () => number;
  /** Calls `stop` on SIGINT and SIGTERM. Returns a function that removes the handler. */
  readonly onStop: (stop: () => void) => () => void;
  /** Calls `report` on unhandled rejections, which would end the process. Returns a function that removes the handler. */
  readonly onUnhandledRejection: (report: (reason: unknown) => void) => () => void;
}

/** The exit codes. They are documented in `gg-svc --help`. */
export const exitCodes = {
  fine: 0,
  /** Errors in the source, or a file or port cannot be used; the diagnostics say which. */
  findings: 1,
  usage: 2,
  bug: 3,
} as const;

/**
 * Whether to use colour on a stream. `NO_COLOR` (any value) wins and turns it off; `FORCE_COLOR` turns it
 * on (`0` and `false` turn it off); otherwise terminals have colour, except for `TERM=dumb`.
 */
export function usesColor(env: CliIo['env'], isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}

export function readVersion(packageRoot: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  return String(version);
}

/** Reads a page of a file in which the build has put many: those of the codes, or those of the commands. */
export function readPage(file: 'diagnostics.md' | 'help.txt', name: string, packageRoot: URL): string {
  const pages = readFileSync(new URL(`dist/${file}`, packageRoot), 'utf8');
  const [, page] = pages.split(`<a id="${name}"></a>\n`);
  if (page === undefined) throw new Error(`invariant: no page ${name} in ${file}`);
  return page.split('<a id="', 1)[0] as string;
}
