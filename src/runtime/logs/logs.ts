import type { Logger, LoggerOptions, pino } from 'pino';
import { openDestination } from './destination.js';
import { redacted } from './redact.js';

/** The logs of a server: one JSON object a line, written with pino. */
export interface LogOptions {
  /** The least level that is written. Access lines are `info`, those of server errors `error`. Default: `info`. */
  readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Whether there is a line for each request, and for each operation over WebSocket. Default: true. */
  readonly access?: boolean;
  /**
   * Whether the arguments of operations are in access lines: all, or those with these names. With `true`, so is the URL,
   * without its credentials. Default: none.
   */
  readonly arguments?: boolean | readonly string[];
  /** Paths in a line whose values are replaced, in pino's syntax: `arguments.input.email`. */
  readonly redact?: readonly string[];
  /** Where the lines go: `stdout` (the default), `stderr`, the path of a file, or a stream. */
  readonly destination?: string | LogStream;
  /** A logger of pino to use, with its own level, redaction and destination. */
  readonly logger?: LineLogger;
}

/** A stream of lines. */
export interface LogStream {
  /** Takes a line with its line break. */
  write(line: string): void;
}

/** The methods of pino's loggers that are used. */
export interface LineLogger {
  /** Writes a line at the level `info`. */
  info(line: object, message?: string): void;
  /** Writes a line at the level `error`. */
  error(line: object, message?: string): void;
}

/** The exports of pino that are used. */
export type Pino = typeof pino;

/** Writes a line. Never throws. */
export type LineWriter = (level: 'info' | 'error', line: object, message: string) => void;

/** Makes a writer of lines that begin with the same members. */
type WritersOf = (members: object) => LineWriter;

export type Logs = ReturnType<typeof openLogs>;

/** Opens the logs of a server. Pino is loaded unless the options have a logger. */
export function openLogs(options: LogOptions, load: () => Pino) {
  const { access = true, arguments: shown = false, logger } = options;
  const own = (['level', 'redact', 'destination'] as const).find((name) => options[name] !== undefined);
  if (logger !== undefined && own !== undefined) {
    throw new TypeError(`logs.${own} must not be given with logs.logger, which has its own.`);
  }
  const writersOf = logger === undefined ? childWriters(openLogger(options, load())) : mergingWriters(logger);
  const writerOf: WritersOf = (members) => {
    const write = writersOf(members);
    return (...line) => {
      try {
        write(...line);
      } catch (error) {
        complain(error);
      }
    };
  };
  return { access, arguments: shown, write: writerOf({}), writerOf };
}

/** A child of pino prints its members once. */
function childWriters(logger: Logger): WritersOf {
  return (members) => {
    const child = logger.child(members);
    return (level, line, message) => child[level](line, message);
  };
}

/** A logger of the program may have no children. */
function mergingWriters(logger: LineLogger): WritersOf {
  return (members) => (level, line, message) => logger[level]({ ...members, ...line }, message);
}

function openLogger({ level = 'info', redact = [], destination = 'stdout' }: LogOptions, create: Pino) {
  const options: LoggerOptions = {
    level,
    timestamp: writeTime,
    formatters: { level: (label) => ({ level: label }) },
    ...(redact.length === 0 ? {} : { redact: { paths: [...redact], censor: redacted } }),
  };
  const stream = typeof destination === 'string' ? openDestination(destination, create, complain) : destination;
  return create(options, stream);
}

let lastTime = 0;
let lastText = '';

/** The time as pino's own `isoTime` writes it. Lines of the same millisecond share the text. */
function writeTime(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}

let hasComplained = false;

/** A logger that fails must not fail requests; one line says so. */
function complain(error: unknown): void {
  if (hasComplained) return;
  hasComplained = true;
  try {
    console.error(`gg-svc: a log line could not be written: ${(error as Error).message}`);
  } catch {
    // The console has failed as well.
  }
}
