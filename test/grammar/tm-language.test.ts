import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { rulesOf, type ScopeGrammar, type ScopeRule, scopesOf } from './scopes.js';

const grammar = JSON.parse(readFileSync('grammar/gg.tmLanguage.json', 'utf8')) as ScopeGrammar;

const sample = `/// A person.
// A note, not a document.
/* Over
   two lines. */
import { money } from './common.gg'
(user: Record { id: ID!, 'x' })
(status: Enum { values: [ACTIVE, SUSPENDED] })
(a | b:Label:Other { k = "it's", n: -1.5e3, ok: true, to: [Money!]! = null, s: 'it\\'s // (no) comment' })
(root) - [:PROCESS { first: Int = 20 }] -> (read_user)
x-[:MEASURE]->y
load(data).clean()`;

const scoped = scopesOf(grammar, sample);

describe('the TextMate grammar', () => {
  it('is named source.gg and consists of patterns that compile', () => {
    expect(grammar.scopeName).toBe('source.gg');
    const everything: ScopeRule[] = [...grammar.patterns, ...Object.values(grammar.repository)];
    for (const rule of everything) {
      for (const nested of [rule, ...rulesOf(grammar, { patterns: [rule] }), ...rulesOf(grammar, rule)]) {
        for (const pattern of [nested.match, nested.begin, nested.end]) {
          if (pattern !== undefined) expect(() => new RegExp(pattern)).not.toThrow();
        }
      }
    }
  });

  it.each([
    ['/// A person.', 'comment.line.documentation.gg'],
    ['// A note, not a document.', 'comment.line.double-slash.gg'],
    ['two lines.', 'comment.block.gg'],
    ['import', 'keyword.control.gg'],
    ['money', 'variable.other.node.gg'],
    ['from', 'keyword.control.from.gg'],
    ['./common.gg', 'string.quoted.single.gg'],
    ['user', 'variable.other.node.gg'],
    ['Record', 'entity.name.tag.label.gg'],
    ['id', 'variable.other.property.gg'],
    ['ID', 'support.type.primitive.gg'],
    ['!', 'keyword.operator.non-null.gg'],
    ['Enum', 'storage.type.label.gg'],
    ['ACTIVE', 'constant.other.enum-value.gg'],
    ['|', 'keyword.operator.alternative.gg'],
    ['Other', 'entity.name.tag.label.gg'],
    ["it's", 'string.quoted.double.gg'],
    ['-1.5e3', 'constant.numeric.gg'],
    ['true', 'constant.language.gg'],
    ['Money', 'entity.name.type.gg'],
    ["\\'", 'constant.character.escape.gg'],
    ['s // (no) comment', 'string.quoted.single.gg'],
    ['- [', 'keyword.operator.edge.gg'],
    ['] ->', 'keyword.operator.edge.gg'],
    ['PROCESS', 'keyword.other.edge-type.projected.gg'],
    ['=', 'keyword.operator.default.gg'],
    ['20', 'constant.numeric.gg'],
    ['read_user', 'variable.other.node.gg'],
    ['MEASURE', 'keyword.other.edge-type.gg'],
    ['y', 'variable.other.node.gg'],
    ['load', 'entity.name.function.gg'],
    ['clean', 'entity.name.function.gg'],
  ])('colours %s as %s', (text, scope) => {
    expect(scoped).toContainEqual({ text, scope });
  });

  it.each(globSync('docs/examples/**/*.gg'))('colours everything in %s', (file) => {
    const plain = scopesOf(grammar, readFileSync(file, 'utf8')).filter(({ scope }) => /^(meta\..*)?$/.test(scope));
    expect(plain).toEqual([]);
  });
});
