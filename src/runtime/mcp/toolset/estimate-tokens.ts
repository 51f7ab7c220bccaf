import type { Tool } from './agent-tool.js';

/**
 * About how many tokens a list of tools has, as models read it: its JSON. A test compares this estimate with a
 * tokenizer.
 */
export function estimateTokens(tools: readonly Tool[]): number {
  // Tools share the definitions of types, which are most of a long list.
  const counted = new Map<unknown, number>();
  const countShared = ({ $defs = {}, ...schema }: { readonly [keyword: string]: unknown }): number => {
    const shared = Object.entries($defs as object).map(([name, definition]) => {
      const count = counted.get(definition) ?? countTokens(JSON.stringify(definition));
      counted.set(definition, count);
      return count + countTokens(name);
    });
    return shared.reduce((sum, count) => sum + count, countTokens(JSON.stringify(schema)));
  };
  let sum = 0;
  for (const { definition } of tools) {
    const { inputSchema, outputSchema, ...rest } = definition;
    sum += countTokens(JSON.stringify(rest)) + countShared(inputSchema);
    if (outputSchema !== undefined) sum += countShared(outputSchema);
  }
  return Math.round(sum * correction);
}

/** Words are mostly one token, numbers one for three digits, and punctuation one for about three characters. */
function countTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z\d ]+/g)) {
    if (/[A-Za-z]/.test(piece)) count += piece.length > 9 ? 1.6 : 1;
    else count += Math.ceil(piece.length / (/\d/.test(piece) ? 3 : 3.3));
  }
  return count;
}

/** The excess of the rules above, measured on the lists of the examples. */
const correction = 0.925;
