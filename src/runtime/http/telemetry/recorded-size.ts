/** The limit of a recorded text, in UTF-16 code units. */
export const maxRecorded = 65_536;
