/** A JSON value, readonly. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object, such as arguments by their names. */
export type JsonObject = { readonly [name: string]: JsonValue };
