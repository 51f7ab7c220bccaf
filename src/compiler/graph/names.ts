/**
 * Derives the names of the API from node ids. No other file does, so that a name is the same in the SDL, in a path and
 * in a diagnostic.
 */

/**
 * The GraphQL type name of a node: the parts of the id, split on `_`, each with its first letter in upper case
 * (`read_user` → `ReadUser`). An id without any lower-case letter is lower-cased first (`USER_ID` → `UserId`). `_`
 * stays between two digits that would otherwise touch (`1_10` → `_1_10`), leading underscores stay, and a name that
 * would begin with a digit gets one `_` before it.
 */
export function typeNameOf(id: string): string {
  const text = hasLowerCase(id) ? id : id.toLowerCase();
  let at = 0;
  while (text.charCodeAt(at) === underscore) at++;
  let name = text.slice(0, at);
  let endsInDigit = false;
  while (at < text.length) {
    const next = text.indexOf('_', at);
    const end = next === -1 ? text.length : next;
    if (end > at) {
      const isNumber = isDigit(text.charCodeAt(at));
      if (isNumber && (name === '' || endsInDigit)) name += '_';
      name += isNumber ? text.slice(at, end) : text.charAt(at).toUpperCase() + text.slice(at + 1, end);
      endsInDigit = isDigit(text.charCodeAt(end - 1));
    }
    at = end + 1;
  }
  return name;
}

/**
 * The camelCase form of a type name, for operations and arguments: the leading run of capitals is lowered, except its
 * last one when a lower-case letter follows (`ReadUser` → `readUser`, `APIKey` → `apiKey`, `Api` → `api`).
 */
export function camelCaseOf(typeName: string): string {
  let start = 0;
  while (typeName[start] === '_') start += 1;
  let end = start;
  while (isUpper(typeName.charCodeAt(end))) end += 1;
  if (end - start > 1 && isLower(typeName.charCodeAt(end))) end -= 1;
  return typeName.slice(0, start) + typeName.slice(start, end).toLowerCase() + typeName.slice(end);
}

/** The text with its first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text with its first letter in lower case. */
export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The name of the input of an object type: `User` → `UserInput`. */
export function inputNameOf(typeName: string): string {
  return `${typeName}Input`;
}

/** The name of a union whose RACE edges give it none: `FastUser` → `FastUserRace`. */
export function unionNameOf(targetTypeName: string): string {
  return `${targetTypeName}Race`;
}

/** The code of a declared error: `OutOfStock` → `OUT_OF_STOCK`. */
export function problemCodeOf(typeName: string): string {
  return apart(typeName).toUpperCase();
}

/** A name in words, for people: `placeOrder` → `Place order`. Words in capitals stay: `readURL` → `Read URL`. */
export function titleOf(name: string): string {
  const words = apart(name).split('_');
  const shown = words.map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()));
  return capitalized(shown.join(' ').trim()) || name;
}

function apart(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2');
}

/** A name that is not taken: the wanted one, or that with `_` behind it. From now on it is taken. */
export function takeName(taken: Set<string>, wanted: string): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}

/** Whether an id begins with a digit, so that its type name begins with an added `_`. */
export function beginsWithDigit(id: string): boolean {
  return isDigit(id.charCodeAt(0));
}

/**
 * The reason why a string cannot be a GraphQL name (October 2021, sections 2.1.9 and 4: letters, digits and `_`, no
 * digit first, no `__` first); undefined when it can.
 */
export function whyInvalidName(name: string): string | undefined {
  if (isPlainName(name)) return undefined;
  if (name === '') return 'it is empty';
  if (isDigit(name.charCodeAt(0))) return 'it begins with a digit';
  if (/\W/.test(name)) return 'only the letters A–Z, digits and _ are allowed';
  return 'names that begin with __ are reserved by GraphQL';
}

function isPlainName(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const isLetter = isLower(code) || isUpper(code) || code === underscore;
    if (!isLetter && !(at > 0 && isDigit(code))) return false;
  }
  return name !== '' && !name.startsWith('__');
}

function hasLowerCase(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isLower(text.charCodeAt(at))) return true;
  return false;
}

const underscore = 95;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** The name of the argument with the id of the event after which a subscription begins. */
export const resumeArgument = 'after';
