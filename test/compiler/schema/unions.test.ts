import { describe, expect, it } from 'vitest';
import { readDelay } from '../../../src/compiler/schema/projection/project-unions.js';
import { check, findingOf, project } from './check.js';

describe('a RACE edge', () => {
  it.each([
    ['becomes a union of its sources', '(a | b)-[:RACE]->(fast_c)', ['union FastCRace = A | B for FastC']],
    ['may have one source', '(a)-[:RACE]->(c)', ['union CRace = A for C']],
    ['may lead to itself', '(a)-[:RACE]->(a)', ['union ARace = A for A']],
    [
      'unites with others to the same target',
      '(a | b)-[:RACE]->(c) (b | d)-[:RACE]->(c)',
      ['union CRace = A | B | D for C'],
    ],
    [
      'becomes a union for each target',
      '(a | b)-[:RACE]->(c | d)',
      ['union CRace = A | B for C', 'union DRace = A | B for D'],
    ],
    ['may name its union', "(a | b)-[:RACE { union: 'Pick' }]->(c)", ['union Pick = A | B for C']],
    [
      'may name the union of all',
      "(a)-[:RACE]->(c) (b)-[:RACE { union: 'Pick' }]->(c) (d)-[:RACE]->(c)",
      ['union Pick = A | B | D for C'],
    ],
    [
      'may name it twice alike',
      "(a)-[:RACE { union: 'P' }]->(c) (b)-[:RACE { union: 'P' }]->(c)",
      ['union P = A | B for C'],
    ],
    [
      'may hold back its source',
      "(a)-[:RACE]->(c) (b)-[:RACE { after: '50ms' }]->(c)",
      ['union CRace = A | B for C after 0, 50'],
    ],
    [
      'may start its sources one after the other',
      "(a | b | c)-[:RACE { after: '1.5s' }]->(d)",
      ['union DRace = A | B | C for D after 0, 1500, 3000'],
    ],
    [
      'leaves a source its first place',
      '(a)-[:RACE]->(c) (a | b)-[:RACE { after: 20 }]->(c)',
      ['union CRace = A | B for C after 0, 20'],
    ],
  ])('%s', (_, text, has) => {
    check(text, { has });
  });

  it.each([
    [
      'an enum among its sources',
      '(a | e: Enum { values: [X] })-[:RACE]->(c)',
      ['GG3007 «(a | e: Enum { values: [X] })-[:RACE]->(c)» + «e»'],
      ['union CRace = A for C'],
    ],
    ['only scalars as its sources', '(s: Scalar)-[:RACE]->(c)', ['GG3007 «(s: Scalar)-[:RACE]->(c)» + «s»'], []],
    [
      'an enum as its target',
      '(a)-[:RACE]->(e: Enum { values: [X] })',
      ['GG3016 «(a)-[:RACE]->(e: Enum { values: [X] })» + «e»'],
      ['enum E { X }'],
    ],
    ['a scalar as its target', '(a)-[:RACE]->(s: Scalar)', ['GG3016 «(a)-[:RACE]->(s: Scalar)» + «s»'], ['scalar S']],
    [
      'two names for one union',
      "(a)-[:RACE { union: 'P' }]->(c) (b)-[:RACE { union: 'Q' }]->(c)",
      ["GG3015 «union: 'Q'» + «union: 'P'»"],
      ['union P = A | B for C'],
    ],
    ['a delay that is none', "(a)-[:RACE { after: 'soon' }]->(c)", ["GG2018 «after: 'soon'»"], []],
  ])('may not have %s', (_, text, findings, has) => {
    check(text, { findings, has });
  });

  it('has its doc comment, or its sources and target, as the description of the union', () => {
    expect(project('(a | b)-[:RACE]->(c) (b | d)-[:RACE]->(c)').schema.unions[0]?.description).toBe(
      'Union (race) of a | b | d for c',
    );
    expect(project('/// The first.\n(a | b)-[:RACE]->(c)').schema.unions[0]?.description).toBe('The first.');
  });

  it.each([
    ["(a)-[:RACE { after: 'soon' }]->(c)", 'GG2018', "“after” must be a duration, such as '50ms', '1.5s' or '2m'."],
    ...['true', "' '", '1'].map((open) => [
      `(a)-[:RACE { open: ${open} }]->(c)`,
      'GG2018',
      '“open” must be the reason in quotes.',
    ]),
    ['(a | e: Enum { values: [X] })-[:RACE]->(c)', 'GG3007', '“e” is an enum'],
    ['(a | s: Scalar)-[:RACE]->(c)', 'GG3007', '“s” is a scalar'],
    ['(a)-[:RACE]->(e: Enum { values: [X] })', 'GG3016', '“e” is an enum'],
    ['(a)-[:RACE]->(s: Scalar)', 'GG3016', '“s” is a scalar'],
  ])('%s is reported as %s: %s', (text, code, words) => {
    const { message, labels } = findingOf(text, code);
    expect([message, ...labels.map((label) => label.message)]).toContain(words);
  });

  it('omits delays without effect', () => {
    expect(project('(a | b)-[:RACE]->(c)').schema.unions[0]).not.toHaveProperty('delays');
  });
});

describe('a race whose branch reaches a FOLD', () => {
  it.each([
    [
      'directly',
      '(in)-[:FOLD]->(save) (save | cache)-[:RACE]->(fast)',
      '«(save | cache)-[:RACE]->(fast)» + «(in)-[:FOLD]->(save)»',
    ],
    [
      'by PROCESS edges',
      '(in)-[:FOLD]->(a)-[:PROCESS]->(b)-[:PROCESS]->(c) (x | c)-[:RACE]->(fast)',
      '«(x | c)-[:RACE]->(fast)» + «(in)-[:FOLD]->(a)»',
    ],
    [
      'by a PROCESS edge with several ends',
      '(in)-[:FOLD]->(a) (a | b)-[:PROCESS]->(c | d) (d)-[:RACE]->(fast)',
      '«(d)-[:RACE]->(fast)» + «(in)-[:FOLD]->(a)»',
    ],
    [
      'in a circle',
      '(in)-[:FOLD]->(a)-[:PROCESS]->(b)-[:PROCESS]->(a) (a | b)-[:RACE]->(fast)',
      '«(a | b)-[:RACE]->(fast)» + «(in)-[:FOLD]->(a)»',
    ],
    [
      'once for each target',
      '(in)-[:FOLD]->(a) (a | b)-[:RACE]->(c | d) (a)-[:RACE]->(c)',
      '«(a | b)-[:RACE]->(c | d)» + «(in)-[:FOLD]->(a)»',
    ],
  ])('is an error: %s', (_, text, finding) => {
    check(text, { findings: [`GG3011 ${finding}`] });
  });

  it.each([
    ['the fold comes after the race', '(a | b)-[:RACE]->(c)-[:FOLD]->(d)'],
    ['the fold comes before the paths part', '(in)-[:FOLD]->(a)-[:FORK]->(b | c)-[:RACE]->(d)'],
    ['a source is folded elsewhere', '(a)-[:FOLD]->(x) (a | b)-[:RACE]->(c)'],
    ['nobody folds', '(in)-[:PROCESS]->(a) (a | b)-[:RACE]->(c)'],
  ])('is allowed where %s', (_, text) => {
    check(text, {});
  });

  it('is an error after each of several PROCESS edges from one node', () => {
    const fold = '(in)-[:FOLD]->(x)';
    for (const branch of ['a', 'b', 'c']) {
      const text = `${fold} (x)-[:PROCESS]->(a) (x)-[:PROCESS]->(b) (x)-[:PROCESS]->(c) (${branch})-[:RACE]->(t)`;
      check(text, { findings: [`GG3011 «(${branch})-[:RACE]->(t)» + «${fold}»`] });
    }
  });

  it('names the first FOLD of several', () => {
    check('(x)-[:FOLD]->(a) (y)-[:FOLD]->(a) (x)-[:PROCESS]->(z)-[:PROCESS]->(a) (a | b)-[:RACE]->(c)', {
      findings: ['GG3011 «(a | b)-[:RACE]->(c)» + «(x)-[:FOLD]->(a)»'],
    });
    check('(x)-[:FOLD]->(a)-[:PROCESS]->(b) (y)-[:FOLD]->(b)-[:RACE]->(c)', {
      findings: ['GG3011 «(b)-[:RACE]->(c)» + «(y)-[:FOLD]->(b)»'],
    });
  });

  it('is described with the ids of the topology', () => {
    const { message, labels } = findingOf('(in)-[:FOLD]->(a)-[:PROCESS]->(b)-[:RACE]->(fast)', 'GG3011');
    expect(message).toContain('The race to “fast” has a branch that reaches the FOLD into “a”');
    expect(labels[0]?.message).toBe('“b” comes from this FOLD');
  });
});

describe('a duration', () => {
  it.each([
    ['50ms', 50],
    ['0ms', 0],
    ['1.5s', 1500],
    ['0.125s', 125],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [0, 0],
    ['2m', 120_000],
    ['12h', 43_200_000],
    ['2d', 172_800_000],
    ['2 s', 2000],
    [75, 75],
    [0.5, 0.5],
  ])('may be %s', (value, milliseconds) => {
    expect(readDelay(value)).toBe(milliseconds);
  });

  it.each([
    '',
    '50',
    'in 5ms',
    '5msec',
    '5  ms',
    'ms',
    '-5ms',
    '1.s',
    '5 hours',
    '25d',
    '99999999s',
    -1,
    2 ** 31,
    true,
    null,
    ['5ms'],
  ])('may not be %s', (value) => {
    expect(readDelay(value)).toBeUndefined();
  });
});
