/** Names that are given once each. */
export interface Names {
  readonly has: (name: string) => boolean;
  /** The name, or one like it that is free. */
  readonly add: (name: string) => string;
}

/**
 * Gives names that all runners read: letters, digits and `_`, beginning with a letter (the names of runtime expressions,
 * Arazzo 1.0.1, section 4.7).
 */
export function createNames(): Names {
  const taken = new Set<string>();
  const readable = (name: string) => (/^[A-Za-z]/.test(name) ? name : `x${name}`);
  return {
    has: (name) => taken.has(readable(name)),
    add(name) {
      let made = readable(name);
      while (taken.has(made)) made += '_';
      taken.add(made);
      return made;
    },
  };
}
