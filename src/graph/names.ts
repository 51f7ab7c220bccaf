/**
 * How node ids become names in the API. These are the only functions that know; everything else asks
 * here, so that a name in the SDL, in a path and in a diagnostic is one and the same.
 */

/**
 * The GraphQL type name of a node: the parts of the id, split on `_`, each with its first letter in
 * upper case (`read_user` → `ReadUser`). An id without any lower-case letter is lower-cased first
 * (`USER_ID` → `UserId`). `_` stays between two digits that would otherwise touch (`1_10` → `_1_10`),
 * leading underscores stay, and a name that would begin with a digit gets one `_` before it.
 */
export function typeNameOf(id: string): string {
  const text = /[a-z]/.test(id) ? id : id.toLowerCase();
  let start = 0;
  while (text[start] === '_') start += 1;
  let name = text.slice(0, start);
  for (const part of text.slice(start).split('_')) {
    if (part === '') continue;
    if (isDigit(part.charCodeAt(0)) && (name === '' || isDigit(name.charCodeAt(name.length - 1))))
      name += '_';
    name += part.charAt(0).toUpperCase() + part.slice(1);
  }
  return name;
}

/**
 * The camelCase form of a type name, for operations and arguments: the leading run of capitals is
 * lowered, all but its last one when a lower-case letter follows (`ReadUser` → `readUser`, `APIKey` →
 * `apiKey`, `Api` → `api`).
 */
export function camelCaseOf(typeName: string): string {
  let start = 0;
  while (typeName[start] === '_') start += 1;
  let end = start;
  while (isUpper(typeName.charCodeAt(end))) end += 1;
  if (end - start > 1 && isLower(typeName.charCodeAt(end))) end -= 1;
  return typeName.slice(0, start) + typeName.slice(start, end).toLowerCase() + typeName.slice(end);
}

/** The name of the input of an object type: `User` → `UserInput`. */
export function inputNameOf(typeName: string): string {
  return `${typeName}Input`;
}

/** The name that a union gets when its RACE edges give it none: `FastUser` → `FastUserRace`. */
export function unionNameOf(targetTypeName: string): string {
  return `${targetTypeName}Race`;
}

/** Whether an id begins with a digit, so that its type name had to be given a `_`. */
export function beginsWithDigit(id: string): boolean {
  return isDigit(id.charCodeAt(0));
}

/**
 * Why a text cannot be a name in GraphQL (October 2021, sections 2.1.9 and 4: letters, digits and `_`,
 * no digit first, `__` kept for introspection); undefined when it can.
 */
export function whyInvalidName(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (isDigit(name.charCodeAt(0))) return 'it begins with a digit';
  if (/\W/.test(name)) return 'it holds other characters than letters A–Z, digits and _';
  return name.startsWith('__') ? 'GraphQL keeps names that begin with __ for itself' : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}
