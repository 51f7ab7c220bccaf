import { createToken, EmbeddedActionsParser, type ITokenConfig, Lexer, type TokenType } from 'chevrotain';
import { describe, expect, it } from 'vitest';
import { Grammar } from '../../../src/compiler/syntax/grammar.js';
import { vocabulary } from '../../../src/compiler/syntax/tokens.js';

/** The grammar with what Chevrotain finds out about it. */
class AnalysedGrammar extends Grammar {
  protected override performSelfAnalysis(): void {
    Reflect.get(EmbeddedActionsParser.prototype, 'performSelfAnalysis').call(this);
  }
}

describe('what the start of a program leaves out', () => {
  it('decides as the analysis of the grammar by Chevrotain does, for every token at every decision', () => {
    const ours = answersOf(new Grammar());
    expect(ours).toEqual(answersOf(new AnalysedGrammar()));
    expect(ours.length).toBeGreaterThan(600);
  });

  it('tries the tokens that Chevrotain finds by reading their patterns, for every first character', () => {
    // Chevrotain cannot read the patterns that look behind; these keep their characters.
    const unread = new Set(['HyphenTail', 'ForeignComment']);
    const copies = vocabulary.map((type): TokenType => {
      const {
        name,
        PATTERN: pattern,
        GROUP: group,
        START_CHARS_HINT: hint,
      } = type as TokenType & {
        readonly GROUP?: string;
        readonly START_CHARS_HINT?: string[];
      };
      const config: Record<string, unknown> = { name, pattern };
      if (group !== undefined) config.group = group;
      if (unread.has(name)) config.start_chars_hint = hint;
      return createToken(config as unknown as ITokenConfig);
    });
    expect(triedBy(vocabulary)).toEqual(triedBy(copies));
  });
});

/** The answer of each decision of each rule to each next token. */
function answersOf(grammar: Grammar): readonly string[] {
  const rules: readonly string[] = Reflect.get(grammar, 'definedRulesNames');
  const tables: readonly (readonly unknown[] | undefined)[] = Reflect.get(grammar, 'lookAheadFuncsCache');
  return rules.flatMap((rule, at) =>
    Object.entries(tables[at] ?? []).flatMap(([key, decide]) =>
      vocabulary.map(({ name, tokenTypeIdx }) => {
        const place = { LA_FAST: () => ({ tokenTypeIdx }) };
        return `${rule} ${key} ${name}: ${(decide as (this: object) => unknown).call(place)}`;
      }),
    ),
  );
}

/** The names of the tokens that a lexer tries, by first character. */
function triedBy(types: readonly TokenType[]): readonly unknown[] {
  const options = { positionTracking: 'onlyOffset', ensureOptimizations: true, skipValidations: true } as const;
  const lexer = new Lexer([...types], options);
  const { defaultMode }: Record<string, readonly { readonly tokenType: TokenType }[][]> = Reflect.get(
    lexer,
    'charCodeToPatternIdxToConfig',
  );
  return (defaultMode ?? []).map((configs) => configs.map(({ tokenType }) => tokenType.name));
}
