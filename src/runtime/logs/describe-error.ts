import { redactText } from './redact.js';

/** An error in a log line. Properties beyond these are left out: errors of HTTP clients carry whole requests. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
  /** The errors of an AggregateError. */
  readonly errors?: readonly LoggedError[];
}

const maxDepth = 4;
const maxErrors = 10;

/** Describes any thrown value for a log line, without the credentials of its request. Never throws. */
export function describeError(thrown: unknown, secrets: readonly string[], depth = 0): LoggedError {
  try {
    const text = (value: unknown): string => redactText(String(value), secrets);
    if (!(thrown instanceof Error)) return { type: typeof thrown, message: text(thrown) };
    const { name, message, stack, cause } = thrown;
    const { code, errors } = thrown as { readonly code?: unknown; readonly errors?: unknown };
    const isDeep = depth >= maxDepth;
    const inner = (error: unknown): LoggedError => describeError(error, secrets, depth + 1);
    return {
      type: text(name),
      message: text(message),
      ...(typeof code === 'string' && { code: text(code) }),
      ...(stack !== undefined && { stack: text(stack) }),
      ...(cause !== undefined && !isDeep && { cause: inner(cause) }),
      ...(Array.isArray(errors) && !isDeep && { errors: errors.slice(0, maxErrors).map(inner) }),
    };
  } catch {
    // A getter or a conversion to a string may throw.
    return { type: typeof thrown, message: 'An error was thrown that cannot be printed.' };
  }
}
