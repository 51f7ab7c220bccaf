import type { GqlServerOptions } from '../../server/options.js';

/** The options of a server that a context module gives. */
export type ContextOptions = Pick<
  GqlServerOptions,
  'authenticate' | 'context' | 'guards' | 'hooks' | 'plugins'
>;

/** The exports that are options of the same name. */
const names = ['context', 'authenticate', 'guards', 'hooks', 'plugins'] as const;

/**
 * Reads the options of a context module (GG5051): the function of its default export or of `context`, and `authenticate`,
 * `guards`, `hooks` and `plugins`. Returns the reason if it cannot be used.
 */
export function readContext(exports: Readonly<Record<string, unknown>>): ContextOptions | string {
  if ('default' in exports && 'context' in exports)
    return 'it has a default export, so its export context has no effect; keep one of them';
  const given = { ...exports, ...('default' in exports ? { context: exports.default } : {}) };
  const found = names.filter((name) => name in given);
  if (found.length === 0) return 'it exports no function, neither as default nor as context';
  if ('context' in given && typeof given.context !== 'function')
    return `its ${'default' in exports ? 'default export' : 'export context'} must be a function`;
  return Object.fromEntries(found.map((name) => [name, (given as Record<string, unknown>)[name]]));
}
