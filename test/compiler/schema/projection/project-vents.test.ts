import { describe, expect, it } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import { check, findingOf, project } from '../check.js';

const queries = `(root)-[:PROCESS { id: ID!, returns: Price }]->(price { id: ID! } | cached | old)`;
const vent = '(price)-[:VENT { fallback: true }]->(cached)';

/** The fallbacks of the queries: `price → cached`, with the time of the query. */
function fallbacksOf(text: string): readonly string[] {
  const { schema } = project(text);
  return [...schema.queries, ...(schema.internal?.queries ?? [])].flatMap(({ name, vent: found }) =>
    found === undefined ? [] : [[name, '→', found.query, found.timeoutMs ?? ''].join(' ').trim()],
  );
}

describe('the fallback of a query', () => {
  it.each([
    [vent, ['price → cached']],
    ['(price)-[:VENT { fallback: true, timeoutMs: 200 }]->(cached)', ['price → cached 200']],
    [`${vent}-[:VENT { fallback: true }]->(old)`, ['price → cached', 'cached → old']],
    ['(price | old)-[:VENT { fallback: true }]->(cached)', ['price → cached', 'old → cached']],
  ])('is the query of the target: %s', (edges, expected) => {
    check(queries + edges, {});
    expect(fallbacksOf(queries + edges)).toEqual(expected);
  });

  it('may be internal, and so may the query that has it', () => {
    const text = `(root)-[:PROCESS { returns: Price }]->(price { id: ID! })
      (root)-[:PROCESS { returns: Price, internal: true }]->(cached | old)
      (price)-[:VENT { fallback: true }]->(cached)-[:VENT { fallback: true }]->(old)`;
    check(text, {});
    expect(fallbacksOf(text)).toEqual(['price → cached', 'cached → old']);
  });

  it.each([
    '(price)-[:VENT]->(cached)',
    '(price)-[:VENT { fallback: false }]->(cached)',
    "(price)-[:VENT { fallback: 'cached', timeoutMs: 5 }]->(cached)",
    '(price)-[:VENT { reason: true }]->(cached)',
  ])('is opt-in: %s stays without effect', (edge) => {
    check(queries + edge, { findings: ['GG2010 «VENT»'] });
    expect(fallbacksOf(queries + edge)).toEqual([]);
  });

  it('is no VENT edge without effect for strict compilations', () => {
    const text = `${queries}(price)-[:VENT]->(old)${vent}`;
    const { diagnostics } = compile(text, { strict: true });
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['error GG2010']);
  });

  it('is not counted among the VENT edges without effect', () => {
    const text = `${queries}${vent}(old)-[:VENT]->(cached)(price)-[:VENT]->(old)`;
    expect(findingOf(text, 'GG2010').message).toContain('2 in this topology');
  });

  it('may return a member of the union of a race', () => {
    const text = `(root)-[:PROCESS]->(near { a: Int } | far { a: Int } | page)
      (near | far)-[:RACE]->(page)
      (root)-[:PROCESS { returns: Near! }]->(spare)
      (page)-[:VENT { fallback: true }]->(spare)`;
    check(text, {});
    const list = text
      .replace('Near!', '[Near]')
      .replace('| page)', ')(root)-[:PROCESS { returns: [PageRace] }]->(page)');
    expect(findingOf(list, 'GG3111').message).toContain('it returns [Near], not [PageRace]');
  });

  it.each([
    [
      '(root)-[:FOLD { returns: Price }]->(saved)(saved)-[:VENT { fallback: true }]->(cached)',
      'no PROCESS edge leads to it, and only queries have fallbacks',
    ],
    ['(price)-[:VENT { fallback: true }]->(nowhere)', 'no PROCESS edge leads to it'],
    [
      "(root)-[:PROCESS { operation: 'again', returns: Price }]->(cached)(price)-[:VENT { fallback: true }]->(cached)",
      'several queries lead to it, cached, again',
    ],
  ])('needs one query at each end: %s', (edges, reason) => {
    expect(findingOf(queries + edges, 'GG3110').message).toContain(`cannot be an end of a fallback: ${reason}.`);
    expect(fallbacksOf(queries + edges)).toEqual([]);
  });

  it.each([
    ['id: ID!, returns: Other', 'it returns Other, not Price'],
    ['id: ID!, returns: [Price]', 'it returns [Price], not Price'],
    ['id: Int!, returns: Price', 'its argument “id” is Int!, but that of price is ID!'],
    ['id: ID!, day: Int!, returns: Price', 'its argument “day” is Int!, but price has none'],
    ['id: ID!, returns: Price, throws: [Gone]', 'it throws Gone, which price does not declare'],
  ])('must be able to answer: %s', (edge, reason) => {
    const text = `${queries}(other { id: ID! })(gone: Problem { status: 410 })
      (root)-[:PROCESS { ${edge} }]->(spare)(price)-[:VENT { fallback: true }]->(spare)`;
    expect(findingOf(text, 'GG3111').message).toBe(`spare cannot be the fallback of price: ${reason}.`);
  });

  it.each(['day: Int! = 1, returns: Price!', 'id: ID, returns: Price', 'day: Int, returns: Price'])(
    'may take other arguments that callers need not give: %s',
    (edge) => {
      const text = `${queries}(root)-[:PROCESS { ${edge} }]->(spare)(price)-[:VENT { fallback: true }]->(spare)`;
      expect(project(text).diagnostics).toEqual([]);
    },
  );

  it.each([
    ['(price)-[:VENT { fallback: true }]->(price)', 'price would be its own fallback: price → price.'],
    [
      `${vent}(cached)-[:VENT { fallback: true }]->(old)-[:VENT { fallback: true }]->(price)`,
      'price would be its own fallback: price → cached → old → price.',
    ],
  ])('forms no circle: %s', (edges, message) => {
    expect(findingOf(queries + edges, 'GG3112').message).toBe(message);
  });

  it('is reported once for a long circle, with its first queries', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
    const edges = names.map((name, at) => `(${name})-[:VENT { fallback: true }]->(${names[at - 1] ?? 'n1999'})`);
    const text = `(x { id: ID! })(root)-[:PROCESS { returns: X }]->(${names.join(' | ')})${edges.join('')}`;
    const [finding, ...others] = project(text).diagnostics;
    expect(others).toEqual([]);
    expect(finding?.message).toMatch(/^n0 would be its own fallback: n0 → n1999 → .* → n1989 → … → n0\.$/);
  });

  it('of a query before a circle stays', () => {
    const text = `${queries}${vent}(cached)-[:VENT { fallback: true }]->(cached)(old)-[:VENT { fallback: true }]->(cached)`;
    expect(findingOf(text, 'GG3112').message).toBe('cached would be its own fallback: cached → cached.');
    expect(fallbacksOf(text)).toEqual(['price → cached', 'old → cached']);
  });

  it('is the only one of its query', () => {
    const text = `${queries}${vent}(price)-[:VENT { fallback: true }]->(old)`;
    check(text, {
      findings: ['GG3113 «(price)-[:VENT { fallback: true }]->(old)» + «(price)-[:VENT { fallback: true }]->(cached)»'],
    });
    expect(findingOf(text, 'GG3113').message).toBe('price has two fallbacks, cached and old.');
  });

  it('has a time that a timer can wait for', () => {
    const text = `${queries}(price)-[:VENT { fallback: true, timeoutMs: 'soon' }]->(cached)`;
    check(text, { findings: ["GG2018 «timeoutMs: 'soon'»"] });
  });
});
