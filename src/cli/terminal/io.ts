/** What a command may touch of the world outside: given from outside, so that a test can stand in for it. */
export interface CliIo {
  /** Writes to standard output. */
  readonly stdout: (text: string) => void;
  /** Writes to standard error. */
  readonly stderr: (text: string) => void;
  /** Reads standard input to its end. */
  readonly readStdin: () => Promise<Uint8Array>;
  /** Asks whoever sits at the terminal; the answer is undefined when they break off. Undefined without one. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative paths are relative to. */
  readonly directory: string;
  /** Where the package lies, with a final slash: it holds `package.json` and `docs/`. */
  readonly packageRoot: URL;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Milliseconds that only ever go up, to say how long something took. */
  readonly clock: () => number;
  /** Calls `stop` when the process is asked to end; the returned function takes that back. */
  readonly onStop: (stop: () => void) => () => void;
  /** Calls `report` with the reason of each rejected promise that nobody waits for, which would end the process. */
  readonly onStray: (report: (reason: unknown) => void) => () => void;
}

/** What a command ends with. The numbers are documented in `gg-svc --help` and keep their meaning. */
export const exitCodes = {
  /** All went well. */
  fine: 0,
  /** The source, a file or the port is at fault; the diagnostics say how. */
  findings: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** This program is at fault. */
  bug: 3,
} as const;

/**
 * Whether to colour what goes to a stream. `NO_COLOR` with any value switches colours off (it wins),
 * `FORCE_COLOR` switches them on (`0` and `false` off), otherwise a terminal has them, unless it is a
 * dumb one.
 */
export function usesColor(env: CliIo['env'], isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
