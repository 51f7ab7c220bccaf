import type { Resolvers } from '../../execute/resolvers/contract.js';

/**
 * Reads the resolvers of a module (GG5001): its default export, or its named exports (`Query`, `Mutation` …) together.
 * Returns the reason if it has none.
 */
export function readResolvers(exports: Readonly<Record<string, unknown>>): Resolvers | string {
  const resolvers = 'default' in exports ? exports.default : objectsOf(exports);
  if (typeof resolvers !== 'object' || resolvers === null || Array.isArray(resolvers)) {
    return 'it must export an object';
  }
  return whyNoResolvers(resolvers, exports) ?? (resolvers as Resolvers);
}

/** Named exports that are not objects, such as functions, are not resolvers. */
function objectsOf(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => typeof value === 'object' && value !== null),
  );
}

/** Why a module has no resolvers, or some that would have no effect. */
function whyNoResolvers(resolvers: object, exports: Readonly<Record<string, unknown>>): string | undefined {
  const unused = ['Query', 'Mutation', 'Subscription'].filter(
    (root) => root in exports && 'default' in exports && !(root in resolvers),
  );
  if (unused.length > 0) {
    return `it has a default export, so its export ${unused.join(' and ')} has no effect; put it into the default export`;
  }
  if (Object.keys(resolvers).length > 0) return undefined;
  const [name] = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  return name === undefined
    ? 'it exports no resolvers'
    : `it exports the function ${name}, but no object Query, Mutation or Subscription with such functions`;
}
