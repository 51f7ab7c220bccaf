/** The members that may be undefined are optional, and the others required. */
type Defined<Members> = {
  [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & {
  [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>;
};

/** The members that are not undefined. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const made: Record<string, unknown> = {};
  // `for … in` allocates no list of keys.
  for (const key in members) if (members[key] !== undefined) made[key] = members[key];
  return made as Defined<Members>;
}
