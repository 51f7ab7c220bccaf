import fc from 'fast-check';
import { createSourceFile } from '../../src/base/source/source-file.js';
import { endOf, tokenize } from '../../src/compiler/syntax/lexer.js';
import { topologies } from './topology.js';

/** What may stand between two tokens; every one of them ends where a token may begin. */
const pieces = [
  ' ',
  '\n',
  '\n\n\n',
  '\r\n',
  '\t',
  ' // a line\n',
  '// a long line, which says much more than the tokens that it stands between, and is never broken\n',
  '\n// a line of its own\n',
  '\n\n//// a rule\n\n',
  ' /// a doc\n',
  '\n/// another doc\n',
  ' /* a block */ ',
  '/* a block of some length */',
  '\n/* its own line */\n',
  ' /* two\n   lines */ ',
  '/*\n * stars\n * in rows\n */',
];

/**
 * Texts that mean some topology without mistakes, with comments and white space where they may stand: in
 * any gap between two tokens, however odd.
 */
export const commentedTopologies: fc.Arbitrary<string> = topologies({ maxNodes: 5, maxPipelines: 4 }).chain(
  ({ text: plain }) => {
    const text = `import './other.gg';\nexport { a, b };\n${plain}\nx.f().g()\nf(g(x)).h()\ny-[:SEES]->z\n${withArguments}`;
    const ends = gapsOf(text);
    return fc
      .array(fc.tuple(fc.nat(ends.length - 1), fc.constantFrom(...pieces)), { maxLength: 12 })
      .map((insertions) => insert(text, ends, insertions));
  },
);

const withArguments = '(with_arguments { list(first: Int = 10, of: [ID!]!,): [String!], tags: [RED, GREEN] })\n';

/** Where tokens end, but those behind which a line break would change what is meant. */
function gapsOf(text: string): readonly number[] {
  const { tokens } = tokenize(createSourceFile('', text));
  const isCallee = (index: number) => /\w$/.test(tokens[index]?.image ?? '') && tokens[index + 1]?.image === '(';
  return [0, ...tokens.filter((_, index) => !isCallee(index)).map(endOf)];
}

function insert(text: string, ends: readonly number[], insertions: readonly (readonly [number, string])[]): string {
  const sorted = [...insertions].sort(([a], [b]) => b - a);
  return sorted.reduce((result, [gap, piece]) => {
    const at = ends[gap] as number;
    return result.slice(0, at) + piece + result.slice(at);
  }, text);
}
