import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.js';
import { analyze } from '../../../src/compiler/analyze.js';

/** The findings of the flow rules, as `GG3019 «the text at the place»`. */
function flow(text: string): string[] {
  return findings(text).map(({ code, span }) => `${code} «${text.slice(span.start, span.end)}»`);
}

function findings(text: string): Diagnostic[] {
  return analyze(text).diagnostics.filter(({ code }) => code !== 'GG3010' && code !== 'GG2010');
}

function only(text: string): Diagnostic {
  const [finding, ...others] = findings(text);
  if (finding === undefined || others.length > 0) throw new Error('there is not exactly one finding');
  return finding;
}

const fold = '(form { name: String })-[:FOLD]->(saved { id: ID! })\n';

describe('a FORK', () => {
  it('from the target of a FOLD has no finding, for any of its sources', () => {
    expect(flow(`${fold}(saved)-[:FORK]->(told)`)).toEqual([]);
    expect(flow(`${fold}(other | saved)-[:FORK]->(told)`)).toEqual([]);
    expect(flow(`${fold}(other)-[:FORK]->(told)\n(saved)-[:FORK]->(told)`)).toEqual([]);
  });

  it('from another node never fires, and gives one finding for all its subscriptions', () => {
    expect(flow(`${fold}(other)-[:FORK]->(one | two)`)).toEqual(['GG3019 «(other)-[:FORK]->(one | two)»']);
    expect(only(`${fold}(other)-[:FORK]->(one | two)`)).toMatchObject({
      severity: 'information',
      message: 'No FOLD leads to “other”, so no mutation fires the subscriptions one and two.',
      hint: 'Fold into that node, write a resolver for the subscription, or call server.publish().',
    });
  });

  it('from a misspelt node gets a suggestion with the right node', () => {
    expect(only(`${fold}(savd)-[:FORK]->(told)`).hint).toBe('Did you mean “saved”, which a FOLD leads to?');
  });

  it('from a node with a short id gets no suggestion', () => {
    const text = '(form)-[:FOLD]->(d)\n(a)-[:FORK]->(told)';
    expect(only(text).hint).toMatch(/^Fold into that node/);
  });

  it('is reported separately for each edge', () => {
    expect(flow(`${fold}(x)-[:FORK]->(one)\n(y)-[:FORK]->(two)`)).toEqual([
      'GG3019 «(x)-[:FORK]->(one)»',
      'GG3019 «(y)-[:FORK]->(two)»',
    ]);
  });

  it('is reported once in a topology without any FOLD', () => {
    expect(flow('(x)-[:FORK]->(one | two)-[:FORK]->(three | four)')).toHaveLength(1);
    expect(only('(x)-[:FORK]->(one | two)-[:FORK]->(three | four)').message).toBe(
      'The topology has no FOLD, so no mutation fires the 4 subscriptions.',
    );
  });
});

describe('a RACE', () => {
  it('with one branch is reported, once for each target', () => {
    expect(flow('(root)-[:PROCESS]->(t)\n(a)-[:RACE]->(t)\n(a)-[:RACE]->(t)')).toEqual(['GG3020 «(a)-[:RACE]->(t)»']);
    expect(only('(root)-[:PROCESS]->(t)\n(a)-[:RACE { union: "Won" }]->(t)').message).toBe(
      '“a” is the only branch of the race to “t”, so it always wins; the union Won has one member.',
    );
  });

  it('with a second branch on another edge has no finding', () => {
    expect(flow('(root)-[:PROCESS]->(t)\n(a)-[:RACE]->(t)\n(b)-[:RACE]->(t)')).toEqual([]);
  });
});

describe('a node', () => {
  it('is reachable by an edge of any type, as a field, an argument or a result', () => {
    expect(
      flow(
        `(root)-[:PROCESS { by: Filter, kind: Kind, returns: [Found!]! }]->(a { x: X })
        (x { y: YInput }) (y { z: Int }) (filter { text: String }) (kind: Enum { values: [A] }) (found { id: ID! })
        (a)-[:MEASURE]->(load)`.replace('YInput', 'Y'),
      ),
    ).toEqual([]);
    expect(flow('(root)-[:PROCESS { by: FilterInput }]->(a)\n(filter { text: String })')).toEqual([]);
    expect(flow('(root)-[:PROCESS { returns: Int }]->(a)')).toEqual([]);
  });

  it('without incoming edges is reported, but not the nodes to which only it refers', () => {
    expect(flow('(root)-[:PROCESS]->(a)\n(lone { x: X, self: Lone })\n(x { y: Y })\n(y { z: Int })')).toEqual([
      'GG3021 «lone»',
    ]);
  });

  it('without references is reported in place of the nodes to which it refers', () => {
    const nodes = ['(lone { x: X, self: Lone })', '(x { y: Y })', '(y { z: Int })'];
    for (const text of [nodes, nodes.toReversed()]) {
      expect(flow(`(root)-[:PROCESS]->(a)\n${text.join('\n')}`)).toEqual(['GG3021 «lone»']);
    }
  });

  it('of an unreachable cycle is reported once', () => {
    expect(flow('(root)-[:PROCESS]->(a)\n(x { y: Y })\n(y { x: X })')).toEqual(['GG3021 «x»']);
  });

  it('that an edge probably misspells is reported with its name', () => {
    const text = '(root)-[:PROCESS]->(read_user)\n(read_usr { id: ID! })';
    const finding = only(text);
    expect(finding).toMatchObject({
      code: 'GG3024',
      severity: 'warning',
      message:
        'No operation uses “read_usr”, and an edge names the undeclared node “read_user”: one of them is probably misspelt.',
      hint: 'Write read_user here, or read_usr at the edge.',
    });
    expect(finding.labels.map(({ span }) => text.slice(span.start, span.end))).toEqual(['read_user']);
  });

  it.each([
    ['has no properties', '(root)-[:PROCESS]->(read_user)\n(read_usr)'],
    ['has a short id', '(root)-[:PROCESS]->(abc)\n(abd { id: ID! })'],
    ['has another number', '(root)-[:PROCESS]->(step_1)\n(step_2 { id: ID! })'],
    ['has an id unlike any', '(root)-[:PROCESS]->(read_user)\n(elephant { id: ID! })'],
    ['is like one that says something', '(root)-[:PROCESS]->(read_user: Record)\n(read_usr { id: ID! })'],
  ])('that %s is not reported as misspelt', (_, text) => {
    expect(only(text)).toMatchObject({ code: 'GG3021', severity: 'information' });
  });

  it.each([
    ['(abcd)', '(abce { id: ID! })', 'GG3024'],
    ['(abc)', '(abcd { id: ID! })', 'GG3021'],
    ['(abcd)', '(abc { id: ID! })', 'GG3021'],
    ['(step_1)', '(step_12 { id: ID! })', 'GG3021'],
    ['(read_user { id: ID! })', '(read_usr { id: ID! })', 'GG3021'],
  ])('beside an edge to %s, %s is %s', (named, lone, code) => {
    expect(findings(`(root)-[:PROCESS]->${named}\n${lone}`).map((finding) => finding.code)).toEqual([code]);
  });

  it('is named as undeclared at the other place', () => {
    const { labels } = only('(root)-[:PROCESS]->(read_user)\n(read_usr { id: ID! })');
    expect(labels.map(({ message }) => message)).toEqual(['“read_user” is not declared']);
  });

  it('is reported separately among five, and once for all among six', () => {
    const lone = (count: number) =>
      flow(
        `(root)-[:PROCESS]->(a)\n(x { y: Y }) (y { x: X })\n${Array.from({ length: count - 1 }, (_, at) => `(lone${at} { n: Int })`).join('\n')}`,
      );
    expect(lone(5)).toEqual(['x', 'lone0', 'lone1', 'lone2', 'lone3'].map((id) => `GG3021 «${id}»`));
    expect(lone(6)).toEqual(['GG3021 «x»']);
  });

  it('among many is reported once for all', () => {
    const many = Array.from({ length: 8 }, (_, index) => `(lone${index} { x: Int })`).join('\n');
    const finding = only(`(root)-[:PROCESS]->(a)\n${many}`);
    expect(finding.message).toContain('“lone0” and 7 other nodes');
    expect(finding.labels.map(({ message }) => message)).toEqual([
      '“lone1” is also unused',
      '“lone2” is also unused',
      '“lone3” is also unused',
      '“lone4” is also unused',
    ]);
  });

  it('is accepted in a topology without edges', () => {
    expect(flow('(a { x: Int })\n(b)')).toEqual([]);
  });
});

describe('a chain of PROCESS edges', () => {
  /** Whether a field of that type, asked for as an argument of the other type, is a clash. */
  const passed = (from: string, to: string) =>
    flow(`(k: Enum { values: [A, B] }) (when: Scalar) (o { x: Int }) (p { x: Int })
      (root)-[:PROCESS { d: K, e: When, f: O, g: P }]->(a { v: ${from} })
      (a)-[:PROCESS { v: ${to} }]->(b { id: ID! })`).filter((finding) => finding.startsWith('GG3022'));

  it.each([
    ['ID!', 'ID'],
    ['ID', 'ID!'],
    ['ID!', 'String!'],
    ['String', 'ID'],
    ['Int!', 'Float!'],
    ['Int!', 'ID!'],
    ['K!', 'String!'],
    ['When', 'Int'],
    ['Boolean', 'When'],
    ['O', 'OInput!'],
    ['O', 'O'],
    ['Int', '[Int!]'],
    ['[Int]', '[[Float]]'],
  ])('passes %s on as %s', (from, to) => {
    expect(passed(from, to)).toEqual([]);
  });

  it.each([
    ['ID!', 'Int!'],
    ['Float', 'Int'],
    ['String!', 'Boolean!'],
    ['String', 'K'],
    ['[Int!]!', 'Int!'],
    ['O', 'PInput'],
    ['O', 'String'],
    ['K', 'Int'],
    ['[[Int]]', '[Int]'],
  ])('does not pass %s on as %s', (from, to) => {
    expect(passed(from, to)).toEqual([`GG3022 «v: ${to}»`]);
  });

  it('shows both places', () => {
    const text = '(root)-[:PROCESS]->(a { v: ID! })-[:PROCESS { v: Int! }]->(b)';
    const finding = only(text);
    expect(finding.message).toBe('“v” is Int! in the arguments of the edge to “b”, but ID! in “a”.');
    expect(finding.labels.map(({ span }) => text.slice(span.start, span.end))).toEqual(['v: ID!']);
  });

  it('compares arguments with result fields of the same name', () => {
    expect(flow('(root)-[:PROCESS { v: Int }]->(a { v: Boolean })')).toEqual(['GG3022 «v: Int»']);
    expect(flow('(key { v: Int })-[:PROCESS]->(a { v: Boolean })')).toEqual(['GG3022 «v: Int»']);
    expect(only('(key { v: Int })-[:PROCESS]->(a { v: Boolean })').message).toContain(
      '“v” is Int in “key”, but Boolean in “a”',
    );
  });

  it('accepts a list for a single value, an object, and a default', () => {
    expect(flow('(root)-[:PROCESS { v: [ID!] }]->(a { v: ID! })')).toEqual([]);
    expect(flow('(f { x: Int })\n(root)-[:PROCESS { v: F }]->(a { v: String })')).toEqual([]);
    expect(flow('(root)-[:PROCESS { v: Int = 1 }]->(a { v: Boolean })')).toEqual([]);
    expect(flow("(key { v: 5 })-[:PROCESS]->(a { v: 'five' })")).toEqual([]);
  });

  it('compares with the result of the edge', () => {
    const rest = '(a { v: Int })\n(other { v: Boolean })';
    expect(flow(`(root)-[:PROCESS { v: Int, returns: [Other!]! }]->(a)\n${rest}`)).toEqual(['GG3022 «v: Int»']);
    expect(flow(`(root)-[:PROCESS { v: Boolean, returns: Int, o: Other }]->(a)\n${rest}`)).toEqual([]);
  });

  it('after a race is compared with the fields of all branches', () => {
    const race =
      '(root)-[:PROCESS]->(one { v: ID! } | two { v: Int! } | three { v: Int! })\n(one | two | three)-[:RACE]->(won { v: Int! })\n';
    expect(flow(`${race}(won)-[:PROCESS]->(next)`)).toEqual(['GG3022 «v: Int!»']);
    expect(flow(`${race}(won)-[:PROCESS { v: Int! }]->(next)`)).toEqual(['GG3022 «v: Int!»']);
    expect(flow(`${race}(won)-[:PROCESS { v: ID! }]->(next)`)).toEqual([]);
  });

  it('names the place of each of the two types', () => {
    const words = (text: string) => findings(text).map(({ message }) => message.replace(/\.$/, ''));
    expect(words('(root)-[:PROCESS]->(a { v: ID! }) (a)-[:PROCESS { v: Int! }]->(b | c)')).toEqual([
      '“v” is Int! in the arguments of the next edge, but ID! in “a”',
    ]);
    expect(words('(root)-[:PROCESS { v: Int }]->(a { v: Boolean })')).toEqual([
      '“v” is Int in the arguments of this edge, but Boolean in “a”',
    ]);
    expect(words('(k { v: Int } | l { w: Int })-[:PROCESS]->(a { v: Boolean })')).toEqual([
      '“v” is Int in the sources of this edge, but Boolean in “a”',
    ]);
    const race = '(root)-[:PROCESS]->(one { v: ID! } | two { v: Int! })\n(one | two)-[:RACE]->(won { v: Int! })\n';
    expect(words(`${race}(won)-[:PROCESS]->(next)`)).toEqual(['“v” is Int! in “won”, but ID! in “one”']);
    expect(words(`${race}(won)-[:PROCESS { v: Int! }]->(next)`)).toEqual([
      '“v” is Int! in the arguments of the edge to “next”, but ID! in “one”',
    ]);
    const { labels } = only('(key { v: Int })-[:PROCESS]->(a { v: Boolean })');
    expect(labels.map(({ message }) => message)).toEqual(['Boolean here']);
  });

  it('does not clash through an edge of another type', () => {
    expect(flow('(root)-[:PROCESS]->(a { v: Int })-[:FOLD { v: ID }]->(b { v: Boolean })')).toEqual([]);
    expect(flow('(root)-[:PROCESS]->(a { v: Int })-[:MEASURE { v: ID }]->(b { v: Boolean })')).toEqual([]);
  });

  it('is compared with each of its sources', () => {
    const sources = '(a { x: Int } | b { y: Int } | c { z: Int })';
    for (const name of ['x', 'y', 'z']) {
      expect(flow(`${sources}-[:PROCESS]->(t { ${name}: Boolean })`)).toEqual([`GG3022 «${name}: Int»`]);
    }
  });

  it('with arguments of its own does not compare its sources with its results', () => {
    const edge = '(key { v: Int })-[:PROCESS { id: ID }]->(a { v: Boolean })';
    expect(flow(edge)).toEqual([`GG3026 «${edge}»`]);
  });

  it('with an input and arguments of its own compares both with its results', () => {
    const chain = '(key: Input { v: Int })-[:PROCESS { id: ID }]->(a { v: Boolean, id: Boolean })';
    expect(flow(chain)).toEqual(['GG3022 «v: Int»', 'GG3022 «id: ID»']);
  });

  it('is reported after a race whose branches have several types, once for each argument', () => {
    const race = '(one { v: ID!, w: Int! } | two { v: Int!, w: ID! })-[:RACE]->(won { v: Int!, w: Int! })\n';
    expect(flow(`${race}(root)-[:PROCESS]->(one | two)\n(won)-[:PROCESS]->(next | last)`)).toEqual([
      'GG3022 «v: Int!»',
      'GG3022 «w: Int!»',
    ]);
  });

  it('into itself does not clash', () => {
    expect(flow('(a { v: Int })-[:PROCESS]->(a)')).toEqual([]);
  });

  it('is reported once, however many edges read the field', () => {
    expect(
      flow('(key { v: Int })-[:PROCESS]->(a { v: Boolean } | b { v: Boolean })\n(key)-[:PROCESS]->(c { v: Boolean })'),
    ).toEqual(['GG3022 «v: Int»']);
  });
});

describe('an argument of a query', () => {
  it('that is nested is reported once, at its place', () => {
    const text = `(point { x: Float! }) (area { corners: [Point!]! }) (where { area: Area, tags: [String!], at: Point })
      (root)-[:PROCESS { area: Area, many: [Point], deep: [[Int]] }]->(a)
      (where)-[:PROCESS]->(b)\n(where)-[:PROCESS]->(c)`;
    expect(flow(text)).toEqual([
      'GG3023 «area: Area»',
      'GG3023 «area: Area»',
      'GG3023 «many: [Point]»',
      'GG3023 «deep: [[Int]]»',
    ]);
  });

  it('that is flat is not', () => {
    expect(flow('(point { x: Float! })\n(root)-[:PROCESS { at: Point, tags: [ID!], n: Int }]->(a)')).toEqual([]);
  });

  it('of a mutation may be nested to any depth', () => {
    expect(flow('(root)-[:PROCESS]->(a)\n(p { x: Int })\n(f { p: [P] })-[:FOLD]->(a)')).toEqual([]);
  });
});

describe('the flow of a topology with errors', () => {
  it('is not checked', () => {
    expect(flow('(a { x: Nope! })-[:FORK]->(b)')).toEqual(['GG2008 «Nope»']);
  });
});

describe('GG3070: a list of objects whose ids a query reads one by one', () => {
  const list = "(shelf)-[:PROCESS { operation: 'listBooks', returns: [Book!]! }]->(book)";
  const author = '(author { id: ID!, name: String! })';
  const read = '(shelf)-[:PROCESS { id: ID! }]->(author)';

  it.each([
    ['by the name of the query', `(book { authorId: ID! }) ${author} ${list} ${read}`],
    [
      'by the name of the type',
      `(book { authorId: ID! }) ${author} ${list} (shelf)-[:PROCESS { operation: 'find', id: ID! }]->(author)`,
    ],
    [
      'with an underscore',
      `(book { author_id: ID! }) ${author} ${list} (shelf)-[:PROCESS { author_id: ID! }]->(author)`,
    ],
  ])('is reported %s', (_, text) => {
    expect(flow(text)).toEqual([expect.stringMatching(/^GG3070/)]);
  });

  it.each([
    ['the object has it as a field', `(book { authorId: ID!, author: Author }) ${author} ${list} ${read}`],
    [
      'a query takes several ids',
      `(book { authorId: ID! }) ${author} ${list} ${read} (shelf)-[:PROCESS { operation: 'authors', ids: [ID!]!, returns: [Author]! }]->(author)`,
    ],
    ['nothing lists the object', `(book { authorId: ID! }) ${author} (shelf)-[:PROCESS]->(book) ${read}`],
    ['no query reads the other object', `(book { authorId: ID! }) ${list}`],
    [
      'the query takes more than the id',
      `(book { authorId: ID! }) ${author} ${list} (shelf)-[:PROCESS { id: ID!, at: Int }]->(author)`,
    ],
    ['the ids are a list', `(book { authorId: [ID!]! }) ${author} ${list} ${read}`],
  ])('is not reported if %s', (_, text) => {
    expect(flow(text).filter((finding) => finding.startsWith('GG3070'))).toEqual([]);
  });
});

describe('GG3050 and GG3051: events that cannot arrive', () => {
  const form = '(form { a: String })';
  const about = (text: string) => flow(text).filter((finding) => /^GG305/.test(finding));

  it.each([
    ['a required field', '(made { id: ID! })', '(told: Event { id: ID!, by: ID! })', '', 'GG3050'],
    ['a required field in a list', '(made { by: ID! })', '(told: Event { by: [ID!]! })', '', 'GG3050'],
    ['a required object', '(made { by: ID! }) (person { id: ID! })', '(told: Event { by: Person! })', '', 'GG3050'],
    ['a filter', '(made { id: ID! })', '(told: Event { id: ID! })', '{ by: ID }', 'GG3051'],
    ['a filter by a nullable field', '(made { id: ID! })', '(told: Event { id: ID!, by: ID })', '{ by: ID }', 'GG3051'],
    // The filter is a consequence of the field.
    ['a field and its filter', '(made { id: ID! })', '(told: Event { by: ID! })', '{ by: ID }', 'GG3050'],
  ])('%s that the result lacks', (_, made, told, settings, code) => {
    const text = `${form}-[:FOLD]->${made} (made)-[:FORK ${settings}]->${told}`;
    expect(about(text)).toEqual([expect.stringMatching(`^${code}`)]);
  });

  it.each([
    ['the result has the fields', '(made { id: ID!, by: ID })', '(told: Event { id: ID!, by: ID! })', '{ by: ID }'],
    ['the fields are constants', '(made { id: ID! })', "(told: Event { id: ID!, by: 'us' })", '{ by: String }'],
    ['the fields may be null', '(made { id: ID! })', '(told: Event { id: ID!, by: ID })', ''],
    ['only the result has the filter', '(made { id: ID!, by: ID })', '(told: Event { id: ID! })', '{ by: ID }'],
    ['the object has constants', "(made { id: ID! }) (firm { name: 'us' })", '(told: Event { by: Firm! })', ''],
  ])('are not reported if %s', (_, made, told, settings) => {
    expect(about(`${form}-[:FOLD]->${made} (made)-[:FORK ${settings}]->${told}`)).toEqual([]);
  });

  it('consider every mutation of the source and its result, and no subscription without a mutation', () => {
    const event = '(told: Event { id: ID!, by: ID! })';
    const returned = `(receipt { id: ID! }) ${form}-[:FOLD { returns: Receipt }]->(made { id: ID!, by: ID! })`;
    expect(about(`${returned} (made)-[:FORK]->${event}`)).toEqual(['GG3050 «by: ID!»']);
    const two = `${form}-[:FOLD { operation: 'add', returns: [Made!]! }]->(made { id: ID!, by: ID! })`;
    expect(
      about(`${two} (receipt { id: ID! }) (x)-[:FOLD { operation: 'drop', returns: Receipt }]->(made)
      (made)-[:FORK { by: ID }]->${event}`),
    ).toEqual(['GG3050 «by: ID!»']);
    expect(about(`(bell)-[:FORK { at: ID }]->${event}`)).toEqual([]);
  });
});
