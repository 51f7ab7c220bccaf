import { tokenIndex as token } from './tokens.js';

/**
 * What most of a topology is made of: pipelines with nothing wrong in them. The functions here look at the
 * types of tokens alone, follow the rules of the grammar without making anything, and answer -1 as soon as
 * something is not as it should be. Whatever they refuse, the grammar reads from the beginning: it knows
 * what is expected, and how to go on after a mistake. `test/syntax/plain-pipeline.test.ts` holds the two
 * against each other.
 */

/**
 * The index behind the pipeline that begins at `at`: `group hop*`.
 *
 * @param types - The types of the tokens, with some end-of-file behind them.
 * @param isEdgeType - Whether the word at an index is spelled like the type of an edge.
 */
export function endOfPipeline(types: Int32Array, at: number, isEdgeType: (at: number) => boolean): number {
  let next = endOfGroup(types, at);
  while (next !== -1 && types[next] === token.edgeOpen) next = endOfHop(types, next, isEdgeType);
  return next;
}

/** The index behind the group that begins at `at`: `'(' node (('|' | ',') node)* ')'`. */
export function endOfGroup(types: Int32Array, at: number): number {
  if (types[at] !== token.leftParen) return -1;
  let next = at;
  do {
    next = endOfNode(types, next + 1);
    if (next === -1) return -1;
  } while (isSeparator(types[next]));
  return types[next] === token.rightParen ? next + 1 : -1;
}

/** Whether a token stands between two nodes of a group. */
export function isSeparator(found: number | undefined): boolean {
  return found === token.pipe || found === token.comma;
}

/** `'-[' ':' TYPE propertyMap? ']->' group` */
function endOfHop(types: Int32Array, at: number, isEdgeType: (at: number) => boolean): number {
  const typeToken = at + 2;
  if (types[at + 1] !== token.colon || types[typeToken] !== token.word || !isEdgeType(typeToken)) return -1;
  const next = endOfMap(types, typeToken + 1);
  return next !== -1 && types[next] === token.edgeClose ? endOfGroup(types, next + 1) : -1;
}

/** `NAME (':' NAME)* propertyMap?` */
function endOfNode(types: Int32Array, at: number): number {
  if (types[at] !== token.word) return -1;
  let next = at + 1;
  while (types[next] === token.colon) {
    if (types[next + 1] !== token.word) return -1;
    next += 2;
  }
  return endOfMap(types, next);
}

/** `('{' (property (',' property)* ','?)? '}')?` with `property ::= NAME (':' | '=') value ('=' value)?` */
function endOfMap(types: Int32Array, at: number): number {
  if (types[at] !== token.leftCurly) return at;
  let next = at + 1;
  while (types[next] !== token.rightCurly) {
    const sign = types[next + 1];
    if (types[next] !== token.word || (sign !== token.colon && sign !== token.equals)) return -1;
    next = endOfValue(types, next + 2, 0);
    if (next !== -1 && types[next] === token.equals) next = endOfValue(types, next + 1, 0);
    if (next === -1) return -1;
    if (types[next] === token.comma) next++;
    else if (types[next] !== token.rightCurly) return -1;
  }
  return next + 1;
}

/** `STRING | NUMBER | NAME '!'? | list` */
function endOfValue(types: Int32Array, at: number, depth: number): number {
  const found = types[at];
  if (found === token.word) return types[at + 1] === token.bang ? at + 2 : at + 1;
  if (found === token.string || found === token.number) return at + 1;
  return found === token.leftSquare && depth < plainDepth ? endOfList(types, at, depth) : -1;
}

/** `'[' (value (',' value)* ','?)? ']' '!'?` */
function endOfList(types: Int32Array, at: number, depth: number): number {
  let next = at + 1;
  while (types[next] !== token.rightSquare) {
    next = endOfValue(types, next, depth + 1);
    if (next === -1) return -1;
    if (types[next] === token.comma) next++;
    else if (types[next] !== token.rightSquare) return -1;
  }
  return types[next + 1] === token.bang ? next + 2 : next + 1;
}

/** Lists in lists that are deeper than anybody writes are left to the grammar, which has a limit for them. */
const plainDepth = 8;
