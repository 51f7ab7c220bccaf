import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { exampleArgument } from '../../../src/compiler/api/examples.js';
import { named } from '../../../src/compiler/graph/type-ref.js';
import { argument } from '../emit/fixtures.js';
import { check, project } from './check.js';

const ends = '(done { id: ID! }) (root)-[:PROCESS]->(done)';

describe('a declared input', () => {
  it.each([
    ['one source of a FOLD', '(new: Input { x: Int! }) (new)-[:FOLD]->(done)', 'mutation done(input: New!): Done'],
    [
      'several sources of a FOLD',
      '(new: Input { x: Int! }) (page: Input) (old { y: Int }) (new | page | old)-[:FOLD]->(done)',
      'mutation done(new: New!, page: Page!, old: OldInput): Done',
    ],
    [
      'the source of a PROCESS',
      "(find: Input { x: Int! = 3, y: String!, z: By }) (by: Input { id: ID! }) (find)-[:PROCESS { operation: 'found' }]->(done)",
      'query found(x: Int! = 3, y: String!, z: By): Done',
    ],
    [
      'the type of an argument',
      "(by: Input { id: ID! }) (root)-[:PROCESS { operation: 'found', by: By!, all: [By!] }]->(done)",
      'query found(by: By!, all: [By!]): Done',
    ],
    [
      'the type of an argument of a field',
      '(by: Input { id: ID! }) (shop { find(by: By!): Done })',
      'type Shop { find(by: By!): Done }',
    ],
    [
      'a field of another input',
      '(new: Input { by: By!, many: [By!]!, box: Box! }) (by: Input { id: ID! }) (box { size: Int! })',
      'input New { by: By!, many: [By!]!, box: BoxInput! }',
    ],
    ['an input without fields', '(none: Input) (none)-[:FOLD]->(done)', 'input None { id: ID! }'],
    ['an input of one field without fields', '(none: Input:OneOf)', 'input None @oneOf { id: ID }'],
  ])('defines the values of callers: %s', (_, text, line) => {
    check(`${text} ${ends}`, { has: [line] });
  });

  it.each([
    ['a PROCESS', '(root)-[:PROCESS]->(new)', ['GG3030 «(root)-[:PROCESS]->(new)» + «new»']],
    ['a FOLD', '(root)-[:FOLD]->(new)', ['GG3030 «(root)-[:FOLD]->(new)» + «new»']],
    ['a FORK', '(done)-[:FORK]->(new)', ['GG3030 «(done)-[:FORK]->(new)» + «new»']],
    ['a RACE', '(done)-[:RACE]->(new)', ['GG3016 «(done)-[:RACE]->(new)» + «new»']],
  ])('cannot be the target of %s', (_, edge, findings) => {
    check(`(new: Input { x: Int }) ${ends} ${edge}`, { findings });
  });

  it.each([
    ['a branch of a race', '(new | done)-[:RACE]->(best)', 'GG3007 «(new | done)-[:RACE]->(best)» + «new»'],
    ['a result', '(root)-[:PROCESS { returns: [New!]! }]->(best)', 'GG3030 «returns: [New!]!» + «new»'],
    ['a field', '(best { made: New! })', 'GG3030 «made: New!» + «new»'],
  ])('cannot be %s', (_, text, finding) => {
    check(`(new: Input { x: Int }) ${ends} ${text}`, { findings: [finding] });
  });

  it.each([
    ['itself', '(a: Input { a: A! })', ['GG3031 «a: A!»']],
    ['itself through others', '(a: Input { b: B! }) (b: Input { c: C! }) (c: Input { a: A! })', ['GG3031 «a: A!»']],
    ['itself in a list', '(a: Input { a: [A!]! })', []],
    ['itself or null', '(a: Input { b: B! }) (b: Input { a: A })', []],
    ['one input twice', '(a: Input { b: B!, c: B! }) (b: Input { x: Int })', []],
  ])('cannot require itself: it requires %s', (_, text, findings) => {
    check(`${text} ${ends}`, { findings });
  });

  it('may require a chain of inputs as long as the topology', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => `(a${at}: Input { next: A${(at + 1) % 20_000}! })`);
    const { diagnostics } = project(chain.join('\n'));
    expect(diagnostics.filter(({ code }) => code === 'GG3031')).toHaveLength(1);
  });

  it('can have only null as a default', () => {
    check(`(by: Input { id: ID }) (a: Input { one: By = null, two: By = 'x' }) ${ends}`, {
      has: ['input A { one: By = null, two: By }'],
      findings: ["GG2013 «'x'»"],
    });
  });
});

describe('an input of exactly one field', () => {
  it.each([
    ['a required field', '(a: Input:OneOf { x: Int!, y: Int })', ['GG2030 «x: Int!»']],
    ['a default', '(a: Input:OneOf { x: Int = 1, y: Int })', ['GG2030 «x: Int = 1»']],
    ['a constant', '(a: Input:OneOf { x: 1, y: Int })', ['GG2030 «x: 1»']],
    ['no label Input', '(a: OneOf { x: Int })', ['GG2030 «OneOf»']],
  ])('has no %s', (_, text, findings) => {
    check(`${text} ${ends}`, { findings });
  });
});

describe('a FOLD from an object type with required fields', () => {
  const found = (text: string) => analyze(`${text} ${ends}`).diagnostics.filter(({ code }) => code === 'GG3032');

  it.each([
    ['alone', '(new { x: Int! })-[:FOLD]->(made)', true],
    ['with a label', '(new: Record { x: Int! })-[:FOLD]->(made)', true],
    ['that a field has', '(new { x: Int! })-[:FOLD]->(made { from: New })', false],
    ['that an argument has', '(new { x: Int! })-[:FOLD]->(made) (root)-[:PROCESS { x: NewInput }]->(made)', false],
    ['that is a result', '(new { x: Int! })-[:FOLD]->(made) (root)-[:PROCESS { returns: New }]->(made)', false],
    ['that is a target', '(new { x: Int! })-[:FOLD]->(made)-[:PROCESS]->(new)', false],
    ['that is a branch', '(new { x: Int! })-[:FOLD]->(made) (new)-[:RACE]->(best)', false],
  ])('is reported, with a fix if the label changes nothing else: %s', (_, text, hasFix) => {
    const [finding, ...others] = found(text);
    expect(others).toEqual([]);
    expect(finding?.severity).toBe('information');
    expect(finding?.fix !== undefined).toBe(hasFix);
    if (finding?.fix === undefined) return;
    const [edit] = finding.fix.edits;
    const at = edit?.span.start ?? 0;
    expect(found(text.slice(0, at) + edit?.text + text.slice(at))).toEqual([]);
  });

  it.each([
    ['optional fields', '(new { x: Int })-[:FOLD]->(made)'],
    ['constants', "(new { x: 1, y: 'a' })-[:FOLD]->(made)"],
    ['defaults', '(new { x: Int! = 1 })-[:FOLD]->(made)'],
    ['arguments of the edge', '(new { x: Int! })-[:FOLD { y: Int }]->(made)'],
    ['the label Input', '(new: Input { x: Int! })-[:FOLD]->(made)'],
  ])('is not reported with %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('the example of an input', () => {
  const example = (text: string) => exampleArgument(project(`${text} ${ends}`).schema, argument('a', named('A')));

  it('has the required fields on every level', () => {
    const levels = '(a: Input { b: B! }) (b: Input { c: C! }) (c: Input { d: D!, o: Int }) (d: Input { e: E! })';
    expect(example(`${levels} (e: Input { x: Int!, o: Int, more: [A!]! })`)).toEqual({
      b: { c: { d: { e: { x: 1, more: [] } }, o: 1 } },
    });
  });

  it('has exactly one field for an input with OneOf', () => {
    expect(example('(a: Input { b: B }) (b: Input:OneOf { c: C, x: Int }) (c: Input { y: Int! })')).toEqual({
      b: { c: { y: 1 } },
    });
  });

  it('stays small even if many inputs require each other', () => {
    const doubled = Array.from({ length: 40 }, (_, at) => `(l${at}: Input { x: L${at + 1}!, y: L${at + 1}! })`);
    const text = JSON.stringify(example(`(a: Input { l: L0! }) ${doubled.join(' ')} (l40: Input { z: Int! })`));
    expect(text.length).toBeLessThan(10_000);
  });
});
