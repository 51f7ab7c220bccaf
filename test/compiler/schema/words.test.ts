import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { compile } from '../../../src/compiler/compile.js';
import { check, findingOf, fixed } from './check.js';

const edgeWith = (properties: string) => `(a)-[:PROCESS { ${properties} }]->(b) (user { name: String })`;

describe('a misspelt edge type', () => {
  it('is reported at each edge, with the fix, and is the only finding of the edge', () => {
    const text = "(a)-[:PROCES { operaton: 'x' }]->(b)-[:PROCES]->(c)";
    check(text, { findings: ['GG2040 «PROCES»', 'GG2040 «PROCES»'] });
    expect(findingOf(text, 'GG2040')).toMatchObject({
      severity: 'warning',
      message: 'PROCES edges are not part of the API.',
      hint: 'Did you mean PROCESS?',
    });
    expect(fixed(text, 'GG2040')).toBe("(a)-[:PROCESS { operaton: 'x' }]->(b)-[:PROCES]->(c)");
  });

  it('is not reported as a missing query as well', () => {
    expect(analyze('(a)-[:PROCES]->(b)').diagnostics.map(({ code }) => code)).toEqual(['GG2040']);
    expect(analyze('(a)-[:FODL]->(b)').diagnostics.map(({ code }) => code)).toContain('GG3010');
  });
});

describe('a misspelt setting', () => {
  it.each([
    ["operaton: 'x'", 'operation'],
    ["opration: 'x'", 'operation'],
    ["unoin: 'X'", 'union'],
    ["aftr: '50ms'", 'after'],
    ['aftr: 50', 'after'],
    ['retruns: User', 'returns'],
    ['return: [User!]!', 'returns'],
    ["retruns: 'User'", 'returns'],
    ["rotue: 'PUT /b'", 'route'],
    ['staus: 201', 'status'],
    ["staus: '201'", 'status'],
    ['nul: 404', 'null'],
    ['throw: [User]', 'throws'],
    ["throw: ['User', 'B']", 'throws'],
    ['pgae: 20', 'page'],
    ['internl: true', 'internal'],
    ["internl: 'true'", 'internal'],
  ])('%s is %s', (property, setting) => {
    const [key = ''] = property.split(':');
    check(edgeWith(property), { findings: [`GG2041 «${key}»`] });
    expect(findingOf(edgeWith(property), 'GG2041').hint).toBe(`Did you mean “${setting}”?`);
    expect(fixed(edgeWith(property), 'GG2041')).toBe(edgeWith(property.replace(key, setting)));
  });

  it('is distinguished from an argument', () => {
    expect(findingOf(edgeWith("operaton: 'x'"), 'GG2041').message).toBe('“operaton” has no effect on a PROCESS edge.');
    expect(findingOf(edgeWith('retruns: User'), 'GG2041').message).toBe(
      '“retruns” declares an argument of this PROCESS edge.',
    );
  });

  it.each([
    ["operaton: 'two words'", 'no name'],
    ['operaton: 5', 'a number'],
    ['staus: 404.5', 'no integer'],
    ["staus: 'shipped'", 'a text'],
    ['paeg: true', 'a boolean'],
    ['internl: 1', 'a number'],
    ["rotue: 'north'", 'no path'],
    ["aftr: 'noon'", 'no duration'],
    ['throw: true', 'a boolean'],
    ["return: 'yes'", 'no type'],
    ['return: Boolean = false', 'a default, so it is an argument'],
    ['operaton: null', 'null'],
    ['pages: [1, 2]', 'a list'],
    ['after: String, status: Int', 'the word itself, as an argument'],
  ])('is not suggested for %s: %s', (property) => {
    check(edgeWith(property), {});
  });

  it('is not suggested on edges outside the API and for arguments of a FORK', () => {
    check("(a)-[:VENT { operaton: 'x', retruns: User }]->(b) (user)", { findings: ['GG2010 «VENT»'] });
    check('(a)-[:FORK { return: Boolean }]->(b)', {});
  });
});

describe('a misspelt label', () => {
  it('is reported once for a node, and fixed at all its places', () => {
    const text = '(a: Scalr) (a: Scalr)';
    check(text, { findings: ['GG2042 «Scalr»'], has: ['type A { id: ID! = "a" }'] });
    expect(fixed(text, 'GG2042')).toBe('(a: Scalar) (a: Scalar)');
    expect(findingOf(text, 'GG2042')).toMatchObject({
      message: 'The label “Scalr” has no meaning.',
      hint: 'Did you mean Scalar?',
    });
  });

  it('is reported for each node', () => {
    check('(a: Enm) (b: Enm)', { findings: ['GG2042 «Enm»', 'GG2042 «Enm»'] });
  });

  it.each(['enum', 'ENUM', 'Enm', 'Enmu'])('%s makes an enum of a node whose values are names', (label) => {
    check(`(mood: ${label} { values: [GOOD] }) (a { mood: Mood = GOOD })`, {
      findings: [`GG2042 «${label}»`],
      has: ['enum Mood { GOOD }', 'type A { mood: Mood = "GOOD" }'],
    });
  });

  it('is not suggested for a node whose values are strings', () => {
    check("(mood: Enm { values: ['GOOD'] })", {
      findings: ['GG2042 «Enm»'],
      has: ['type Mood { values: [String!]! = ["GOOD"] }'],
    });
  });
});

describe('strict mode', () => {
  const strictly = (text: string) =>
    compile(text, { strict: true }).diagnostics.map(({ code, severity, span }) => [
      code,
      severity,
      text.slice(span.start, span.end),
    ]);

  it('has no finding in a topology where everything has an effect', () => {
    const text = `
      (root)-[:PROCESS { operation: 'find', id: ID!, returns: User }]->(user { name: 'Ada' })
      (a { x: 1 } | b { y: 1 })-[:RACE { union: 'Found', after: '5ms' }]->(c)
      (root)-[:PROCESS]->(a | b | c)
    `;
    expect(compile(text, { strict: true }).ok).toBe(true);
  });

  it('makes every unprojected edge an error, not only the first of its type', () => {
    expect(strictly('(r)-[:PROCESS]->(a)-[:VENT]->(b)-[:VENT]->(c)-[:FROK]->(d)')).toEqual([
      ['GG2010', 'error', 'VENT'],
      ['GG2010', 'error', 'VENT'],
      ['GG2040', 'error', 'FROK'],
    ]);
  });

  it('makes every setting without effect an error', () => {
    const text = "(r)-[:PROCESS { reason: 'x', operaton: 'y', union: 'Z', id: ID }]->(a)";
    expect(strictly(text)).toEqual([
      ['GG3040', 'error', 'reason'],
      ['GG2041', 'error', 'operaton'],
      ['GG3012', 'error', "union: 'Z'"],
    ]);
    const codes = compile(text).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['GG2041', 'GG3012']);
  });

  it.each(['PROCESS', 'FOLD', 'FORK'])('makes the delay of a race on a %s edge an error', (type) => {
    expect(strictly(`(r)-[:PROCESS]->(x)-[:${type} { after: '5ms' }]->(a)`)).toContainEqual([
      'GG3040',
      'error',
      'after',
    ]);
  });

  it('makes labels and properties of nodes without effect errors', () => {
    expect(strictly('(r)-[:PROCESS]->(a { m: M }) (m: Enum { values: [X], size: 5 }) (r: Enm)')).toEqual([
      ['GG2017', 'error', 'size: 5'],
      ['GG2042', 'error', 'Enm'],
    ]);
  });

  it('does not change other warnings and findings that are ignored with a reason', () => {
    expect(strictly("(r)-[:PROCESS]->(a { x: 'Int' })")).toEqual([['GG2009', 'warning', "'Int'"]]);
    const drawn = '// gg-ignore GG2010: drawn only\n(r)-[:PROCESS]->(a)-[:VENT]->(b)\n(b)-[:VENT]->(c)';
    expect(strictly(drawn)).toEqual([]);
    expect(strictly(`${drawn}\n(c)-[:TUNNEL]->(d)`)).toEqual([['GG2010', 'error', 'TUNNEL']]);
  });
});

describe('the words of public topologies', () => {
  const keys = 'strategy mode role reason case expect failure schedule order weight op fn'.split(' ');
  const types =
    'MEASURE TUNNEL SLIVER VENT OBSERVE INTERFERE MEMBER_OF SUBGROUP_OF MAY_CONTAIN CLAIM CHECK DEPENDS_ON CONTAINS SUBJECT PREDICATE CONCLUSION RANKED_CANDIDATE REJECT'.split(
      ' ',
    );
  const values = ["'first'", '"5"', "'true'", '5', '0.5', 'true', '[\'-c\', "echo (x)"]', "'aeon://x'", "''"];
  const signs = [': ', '=', ':'];

  const properties = fc
    .uniqueArray(fc.constantFrom(...keys), { maxLength: 4 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc
            .tuple(fc.constantFrom(...signs), fc.constantFrom(...values))
            .map(([sign, value]) => `${name}${sign}${value}`),
        ),
      ),
    )
    .map((list) => (list.length === 0 ? '' : ` { ${list.join(', ')} }`));
  const node = fc
    .tuple(
      fc.constantFrom('a', 'query_1', '2', '1_10', 'input', 'worker'),
      fc.constantFrom('', ': Worker', ':Entry', ' : Entry:Bridge', ': Record', ': Event', ': Label'),
      properties,
    )
    .map((parts) => parts.join(''));
  const group = fc
    .tuple(fc.array(node, { minLength: 1, maxLength: 4 }), fc.constantFrom(' | ', '|', ', '))
    .map(([nodes, separator]) => `(${nodes.join(separator)})`);
  const edge = fc
    .tuple(fc.constantFrom('PROCESS', 'FOLD', 'FORK', 'RACE', ...types), properties, group)
    .map(([type, map, target]) => `-[:${type}${map}]->${target}`);
  const pipelines = fc.tuple(group, fc.array(edge, { maxLength: 7 })).map(([head, edges]) => head + edges.join(''));

  it('are not reported as misspelt', () => {
    fc.assert(
      fc.property(fc.array(pipelines, { minLength: 1, maxLength: 4 }), (lines) => {
        const codes = analyze(lines.join('\n')).diagnostics.map(({ code }) => code as string);
        expect(codes.filter((code) => /^GG(?:1|204)/.test(code))).toEqual([]);
      }),
    );
  });
});
