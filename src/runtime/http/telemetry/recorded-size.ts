// A file of its own: what loads it need not load graphql-js.

/** The limit of a recorded text, in UTF-16 code units. */
export const maxRecorded = 65_536;
