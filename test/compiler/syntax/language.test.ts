import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { parse } from '../../../src/compiler/syntax/parse.js';
import { outline } from './outline.js';
import { parseTopology } from './parse-topology.js';

/** What is read from a text that has no mistakes. */
function read(text: string): string[] {
  const { value, diagnostics } = parse(createSourceFile('t.gg', text));
  expect(diagnostics, text).toEqual([]);
  return outline(value);
}

/** What is read from a text with mistakes, and their codes. */
function readBroken(text: string) {
  const { value, diagnostics } = parse(createSourceFile('t.gg', text));
  return { read: outline(value), codes: diagnostics.map(({ code }) => code) };
}

describe('lexis', () => {
  it('accepts line comments before, after and between the parts of a statement', () => {
    expect(read('// first\n(a) // behind\n  // between\n  -[:X]-> // target\n  (b)\n// last')).toEqual([
      '(a)-[:X]->(b)',
    ]);
  });

  it('accepts block comments anywhere', () => {
    expect(read('(a /* one */ : /* two\nlines */ X)')).toEqual(['(a:X)']);
  });

  it('keeps every comment with its kind and its place', () => {
    const text = '// a\n/* b */ (x) /// c\n//// d';
    const { comments } = parse(createSourceFile('t.gg', text)).value;
    expect(comments.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ['line', '// a'],
      ['block', '/* b */'],
      ['doc', '/// c'],
      ['line', '//// d'],
    ]);
  });

  it.each([
    ['CRLF', '(a)\r\n// c\r\n(b)\r\n'],
    ['lone returns', '(a)\r// c\r(b)\r'],
    ['tabs', '\t(a)\n\t//\tc\n\t(b)'],
    ['a byte order mark', '\ufeff(a)\n(b)'],
    ['no final line break', '(a)\n(b)'],
    ['wide blanks', '(a)\u00a0\u2003(b)\u2028'],
    ['a form feed and a vertical tab', '(a)\f\v(b)'],
  ])('accepts %s', (_, text) => {
    expect(read(text)).toEqual(['(a)', '(b)']);
  });

  it('accepts names of any length, with capitals, digits and underscores', () => {
    const long = `n${'x'.repeat(103)}`;
    expect(read(`(${long})(_a)(A1_b)`)).toEqual([`(${long})`, '(_a)', '(A1_b)']);
  });

  it('accepts names that begin with a digit', () => {
    expect(read('(2)-[:NEXT]->(1_10)-[:NEXT]->(3d)-[:NEXT]->(2e5)')).toEqual([
      '(2)-[:NEXT]->(1_10)-[:NEXT]->(3d)-[:NEXT]->(2e5)',
    ]);
  });

  it('accepts keywords as names', () => {
    expect(read('(input)(query)(import)(export)(from)(true)(null) (export { import: 1, from: 2 })')).toEqual([
      '(input)',
      '(query)',
      '(import)',
      '(export)',
      '(from)',
      '(true)',
      '(null)',
      '(export {import:1, from:2})',
    ]);
  });
});

describe('nodes', () => {
  it.each([
    ['(a)', '(a)'],
    ['(a: Label)', '(a:Label)'],
    ['(a:Label)', '(a:Label)'],
    ['(a : Label)', '(a:Label)'],
    ["(a: Label { k: 'v' })", '(a:Label {k:"v"})'],
    ["(a { k: 'v' })", '(a {k:"v"})'],
    ["(e: Entry:Bridge { k: 'v' })", '(e:Entry:Bridge {k:"v"})'],
    ['(e:A:B:C)', '(e:A:B:C)'],
    ['(\n  a\n  :\n  A\n  {\n  }\n)', '(a:A)'],
  ])('accepts %j', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it('accepts repeated nodes', () => {
    expect(read('(a: X)\n(a: X)\n(a { k: 1 })')).toEqual(['(a:X)', '(a:X)', '(a {k:1})']);
  });
});

describe('properties', () => {
  it.each([
    ['k: \'v\', other: "w"', 'k:"v", other:"w"'],
    ["k='v' ", 'k:"v"'],
    ['Key: 1, camelKey: 2, snake_key: 3', 'Key:1, camelKey:2, snake_key:3'],
    ["n: '42', b: 'true'", 'n:"42", b:"true"'],
    ['n: 42, f: 0.5, m: -3, e: 1e9, g: -1.5E-3', 'n:42, f:0.5f, m:-3, e:1000000000f, g:-0.0015f'],
    ['yes: true, no: false, none: null', 'yes:true, no:false, none:null'],
    ['args: ["-c", "echo (x)"]', 'args:["-c", "echo (x)"]'],
    ["l: [']', 'it\\'s', [1, 2], []]", 'l:["]", "it\'s", [1, 2], []]'],
    ['l: [1, 2,]', 'l:[1, 2]'],
    ['id: ID!, tags: [String!]!, u: User', 'id:ID!, tags:[String!]!, u:User'],
    ['s: Status = ACTIVE, n: Int = 20, l: [Int!]! = [1]', 's:Status=ACTIVE, n:Int=20, l:[Int!]!=[1]'],
    ["empty: ''", 'empty:""'],
    ['a: 1,', 'a:1'],
  ])('accepts { %s }', (text, expected) => {
    expect(read(`(a { ${text} })`)).toEqual([`(a {${expected}})`]);
  });

  it('accepts an empty map', () => {
    expect(read('(a {})-[:X {}]->(b {})')).toEqual(['(a)-[:X]->(b)']);
  });

  it.each([
    ["'f(x)'", 'f(x)'],
    ["'aeon://host/a//b'", 'aeon://host/a//b'],
    [`'say "hi"'`, 'say "hi"'],
    [`"it's"`, "it's"],
    ['\'{ "json": [1, {}] }\'', '{ "json": [1, {}] }'],
    ["'a->b, c-[:X]->d'", 'a->b, c-[:X]->d'],
    ["'a | b'", 'a | b'],
    ["'%7Bpercent%7D'", '%7Bpercent%7D'],
    ["'∀x ∈ ℝ: β₁ ≥ 0 𝔽'", '∀x ∈ ℝ: β₁ ≥ 0 𝔽'],
    ["'/* no comment */ // none'", '/* no comment */ // none'],
    ["'it\\'s \\\"quoted\\\"'", 'it\'s "quoted"'],
    ["'\\beta \\n C:\\dir'", '\\beta \\n C:\\dir'],
    ["'two \\\\ back'", 'two \\\\ back'],
    ["'if (x) for return'", 'if (x) for return'],
  ])('parses the string %s', (literal, text) => {
    expect(read(`(a { k: ${literal}, z: 1 })`)).toEqual([`(a {k:${JSON.stringify(text)}, z:1})`]);
  });

  it('accepts several lines on nodes and edges', () => {
    expect(read("(a: X {\n  k: 'v',\n  l: [\n    1,\n  ],\n})-[:P {\n  m: 1\n}]->(b)")).toEqual([
      '(a:X {k:"v", l:[1]})-[:P {m:1}]->(b)',
    ]);
  });

  it('records the place of each property, from its key to the end of its value', () => {
    const text = '(a { one: Int = 5, two:[1] })';
    const [pipeline] = parse(createSourceFile('t.gg', text)).value.statements;
    const properties = pipeline?.kind === 'Pipeline' ? pipeline.head.nodes[0]?.properties : [];
    expect(properties?.map(({ start, end }) => text.slice(start, end))).toEqual(['one: Int = 5', 'two:[1]']);
  });
});

describe('edges', () => {
  it.each([
    ['(a)-[:TYPE]->(b)', '(a)-[:TYPE]->(b)'],
    ["(a)-[:TYPE { k: 'v' }]->(b)", '(a)-[:TYPE {k:"v"}]->(b)'],
    ['(a) -[:TYPE]-> (b)', '(a)-[:TYPE]->(b)'],
    ['(a) - [ : TYPE ] -> (b)', '(a)-[:TYPE]->(b)'],
    ['(a)\n-[:TYPE]->\n(b)', '(a)-[:TYPE]->(b)'],
    ['(a)-[:RANKED_CANDIDATE2]->(b)', '(a)-[:RANKED_CANDIDATE2]->(b)'],
    ['(a)-[:T { args: [1, 2] }]->(b)', '(a)-[:T {args:[1, 2]}]->(b)'],
    ['(a: X { k: 1 })-[:T]->(b: Y { k: 2 })', '(a:X {k:1})-[:T]->(b:Y {k:2})'],
    ['(q)-[:FORK]->(q)', '(q)-[:FORK]->(q)'],
    ['(a | b)-[:RACE]->(c)', '(a|b)-[:RACE]->(c)'],
    ['(a, b)-[:FOLD]->(c)', '(a|b)-[:FOLD]->(c)'],
    ['(a: X | b: Y { k: 1 } | c)-[:FOLD]->(d)', '(a:X|b:Y {k:1}|c)-[:FOLD]->(d)'],
    ['(s)-[:FORK]->(\n  a |\n  b\n  | c\n)', '(s)-[:FORK]->(a|b|c)'],
    ['(a)-[:FORK]->(b|c)-[:RACE]->(d)-[:PROCESS]->(e)', '(a)-[:FORK]->(b|c)-[:RACE]->(d)-[:PROCESS]->(e)'],
    ['(a)\n  -[:P]->(b: X { k: 1 })\n  -[:Q]->(c)', '(a)-[:P]->(b:X {k:1})-[:Q]->(c)'],
  ])('accepts %j', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it('accepts eleven members and eight hops', () => {
    const members = Array.from({ length: 11 }, (_, index) => `m${index}`);
    const hops = Array.from({ length: 8 }, (_, index) => `-[:X]->(h${index})`).join('');
    expect(read(`(${members.join(' | ')})${hops}`)).toEqual([`(${members.join('|')})${hops}`]);
  });

  it('accepts bare ends with a warning and a fix', () => {
    const { value, diagnostics } = parse(createSourceFile('t.gg', 'x-[:PROCESS]->y\nz -[:A]->(b)'));
    expect(outline(value)).toEqual(['(x)-[:PROCESS]->(y)', '(z)-[:A]->(b)']);
    expect(diagnostics.map(({ code, severity, fix }) => [code, severity, fix?.edits[0]?.text])).toEqual([
      ['GG1011', 'warning', '(x)'],
      ['GG1011', 'warning', '(y)'],
      ['GG1011', 'warning', '(z)'],
    ]);
  });

  it.each([
    ['(a)<-[:X]-(b)', ['GG1007'], '(a)-[:X]->(b)'],
    ['(a)<-[:X]->(b)', ['GG1007'], '(a)-[:X]->(b)'],
    ['(a)-[:X]-(b)', ['GG1007'], '(a)-[:X]->(b)'],
    ['(a)--(b)', ['GG1007'], '(a)-[:]->(b)'],
    ['(a)<--(b)', ['GG1007'], '(a)-[:]->(b)'],
    ['(a)<-->(b)', ['GG1007'], '(a)-[:]->(b)'],
    ['(a)-->(b)', ['GG1008'], '(a)-[:]->(b)'],
    ['(a)->(b)', ['GG1008'], '(a)-[:]->(b)'],
    ['(a)-[]->(b)', ['GG1008'], '(a)-[:]->(b)'],
    ['(a)-[{ k: 1 }]->(b)', ['GG1008'], '(a)-[: {k:1}]->(b)'],
    ['(a)-[:X|Y]->(b)', ['GG1009'], '(a)-[:X]->(b)'],
    ['(a)-[:X|:Y|Z { k: 1 }]->(b)', ['GG1009'], '(a)-[:X {k:1}]->(b)'],
    ['(a)-[e:X]->(b)', ['GG1010'], '(a)-[:X]->(b)'],
    ['(a)-[X]->(b)', ['GG1001'], '(a)-[:X]->(b)'],
    ['(a)-[:process]->(b)', ['GG1012'], '(a)-[:process]->(b)'],
    ['(a)-[:Process]->(b)', ['GG1012'], '(a)-[:Process]->(b)'],
  ])('parses %j as the nearest edge, with an error', (text, codes, expected) => {
    expect(readBroken(text)).toEqual({ read: [expected], codes });
  });
});

describe('calls', () => {
  it.each([
    ['f(x)', 'x → f'],
    ['x.f()', 'x → f'],
    ['x.f().g()', 'x → f → g'],
    ['f(g(x))', 'x → g → f'],
    ['f(x).g()', 'x → f → g'],
    ['f( x )\n  .g()', 'x → f → g'],
  ])('parses %j', (text, steps) => {
    expect(read(text)).toEqual([`call ${steps}`]);
  });

  it('rejects arguments other than the source', () => {
    expect(readBroken('x.f(1)\nf(x, 2)\nx.f(a).g()')).toEqual({
      read: ['call x → f', 'call x → f', 'call x → f → g'],
      codes: ['GG1015', 'GG1015', 'GG1015'],
    });
  });

  it.each(['x.f', 'x.f(', 'f(', 'f()', 'x.()', 'x.f((', 'x.f(1 (a)'])('reports %j once', (text) => {
    expect(readBroken(text).codes).toEqual(['GG1001']);
  });
});

describe('modules', () => {
  it.each([
    ["import './x.gg'", 'import ./x.gg'],
    ['import "../y.gg";', 'import ../y.gg'],
    ["import { a, b } from './x.gg'", 'import {a,b} from ./x.gg'],
    ["import { a, b, } from './x.gg';", 'import {a,b} from ./x.gg'],
    ["import {\n  a\n} from\n  './x.gg'", 'import {a} from ./x.gg'],
    ['export { a }', 'export {a}'],
    ['export { a, b, };', 'export {a,b}'],
    ['export {}', 'export {}'],
  ])('parses %j', (text, expected) => {
    expect(read(`${text}\n(z)`)).toEqual([expected, '(z)']);
  });

  it.each([
    ["import * as x from './y.gg'", ['GG1019']],
    ["import { a as b, c } from './y.gg'", ['GG1019']],
    ["import { a } './y.gg'", ['GG1001']],
    ["import { a } of './y.gg'", ['GG1001']],
    ['import {', ['GG1001']],
  ])('reports %j once', (text, codes) => {
    expect(readBroken(`(z)\n${text}\n`).codes).toEqual(codes);
  });
});

describe('doc comments', () => {
  it('describe the node, edge, hop or property after them', () => {
    expect(
      read(
        '/// node\n(a: X {\n  /// property\n  k: 1 })\n/// edge\n(a)-[:P]->(b)\n  /// hop\n  -[:Q]->(/// inner\n c)\n/// call\nf(x)',
      ),
    ).toEqual(['<node>(a:X {<property>k:1})', '<edge>(a)-[:P]->(b)<hop>-[:Q]->(<inner>c)', '<call>call x → f']);
  });

  it('join their lines, without the slashes and one space', () => {
    expect(read('/// one\n///\n///  two  \n(a)')).toEqual(['<one⏎⏎ two>(a)']);
  });

  it('without a target are only comments', () => {
    expect(read('(a /// behind\n)\n/// at the end')).toEqual(['(a)']);
  });
});

describe('other dialects', () => {
  it('reports a foreign block once, and keeps its edges in the tree', () => {
    const text =
      'topology x {\n  theorem y { k = "v" }\n  note (alone)\n  (a)-[:X]->(b)\n  f(x { } )\n  (broken-[\n}\n(c)';
    expect(readBroken(text)).toEqual({ read: ['(a)-[:X]->(b)', '(c)'], codes: ['GG1013'] });
  });

  it('accepts strings and numbers in the head of a foreign block', () => {
    expect(readBroken('theorem "T" 1 {\n}\n(c)')).toEqual({ read: ['(c)'], codes: ['GG1013'] });
  });

  it('reports a foreign block that is never closed once', () => {
    expect(readBroken('topology x {\n (a)-[:X]->(b)\n').codes).toEqual(['GG1013']);
  });

  it('skips the text after the last brace of a foreign block', () => {
    expect(readBroken('user { id: ID! })\n(c)')).toEqual({ read: ['(c)'], codes: ['GG1013'] });
  });

  it('reports # and -- comments once each in a file', () => {
    expect(readBroken('# one\n-- two\n(a)\n# three\n  -- four\n(b)')).toEqual({
      read: ['(a)', '(b)'],
      codes: ['GG1014', 'GG1014'],
    });
  });

  it('treats -- at the beginning of the text as a comment, too', () => {
    expect(readBroken('  -- one\n(a)')).toEqual({ read: ['(a)'], codes: ['GG1014'] });
  });

  it('treats a long sequence of words before a brace as prose', () => {
    expect(readBroken(`${'word '.repeat(20)}{`).codes).toEqual(['GG1001']);
  });

  it('reports the place where prose stops being a topology', () => {
    expect(readBroken('Dear reader, this is prose.').codes).toEqual(['GG1001']);
  });
});

describe('several sources', () => {
  const sources = (...texts: string[]) => texts.map((text, index) => createSourceFile(`${index}.gg`, text));

  it('make one tree with a document for each', () => {
    const { value, diagnostics } = parseTopology(sources('(a)', '(b', '(c)'));
    expect(value.documents.map(outline)).toEqual([['(a)'], [], ['(c)']]);
    expect(diagnostics.map(({ code, span }) => [code, span.file])).toEqual([['GG1001', '1.gg']]);
  });

  it.each([
    ['no text', ['']],
    ['white space', [' \n\t']],
    ['comments', ['// nothing\n', '/* more of it */']],
    ['imports alone', ["import './x.gg'"]],
    ['no source', []],
  ])('that contain %s are an empty topology', (_, texts) => {
    const { diagnostics } = parseTopology(sources(...texts));
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG1017']);
  });

  it('of which one contains a node are not empty', () => {
    expect(parseTopology(sources('// nothing', 'f(x)')).diagnostics).toEqual([]);
  });
});

describe('bad input', () => {
  it.each([
    ['a text without its end', "(a { k: 'x", ['GG1002']],
    ['a text that ends in a backslash', "(a { k: 'x\\", ['GG1002']],
    ['a comment without its end', '(a) /* x', ['GG1004']],
    ['strange characters', '(a) §§ (b)', ['GG1003']],
    ['a lone slash', '(a) / (b)', ['GG1003']],
    ['a lone dash', '(a) - (b)', ['GG1003']],
    ['a lone less-than', '(a) < (b)', ['GG1003']],
    ['a hash behind a node', '(a) # c', ['GG1014']],
    ['a hyphen in a name', '(my-node)', ['GG1016']],
    ['a letter beyond ASCII', '(usér)', ['GG1016']],
    ['a name of other letters', '(имя)', ['GG1016']],
    ['a decimal as a name', '(1.5)', ['GG1016']],
    ['a minus before a word', '(a { k: -1_0 })', ['GG1003']],
    ['a map in a map', '(a { k: { x: { y: 1 } }, z: 2 })', ['GG1018']],
    ['a missing comma', '(a { k: 1 l: 2 })', ['GG1005']],
    ['a missing comma in a list', '(a { k: [1 2] })', ['GG1005']],
    ['two commas', '(a { k: 1,, l: 2 })', ['GG1001']],
    ['a word too many', '(a { k: Int Int, l: 2 })', ['GG1001']],
    ['a key in quotes', "(a { 'k': 1, l: 2 })", ['GG1001']],
    ['a list without its end', '(a { k: [1, 2 })', ['GG1001']],
    ['a broken value with brackets', '(a { k: ! [ { x } ], l: 2 })', ['GG1001']],
    ['a broken value with a map', '(a { k: ! { x: [1] }, l: 2 })', ['GG1001']],
    ['a map that is never closed', '(a { k: { x: 1 )', ['GG1018', 'GG1001']],
    ['nothing between bars', '(a | | b)-[:X]->(c)', ['GG1001']],
    ['an edge without a target', '(a)-[:X]->', ['GG1001']],
    ['a closing bracket alone', ')', ['GG1001']],
    ['a lone surrogate', '(a { k: 1 }) \ud800', ['GG1003']],
    ['a zero byte', '(a)\0', ['GG1003']],
    ['control characters', '\u0001\u0002(a)', ['GG1003']],
  ])('%s', (_, text, codes) => {
    expect(readBroken(text).codes).toEqual(codes);
  });

  it('sixty-five levels of brackets are too many, sixty-four are not', () => {
    const nested = (depth: number) => `(a { k: ${'['.repeat(depth)}${']'.repeat(depth)}, l: 1 })`;
    expect(readBroken(nested(64)).codes).toEqual([]);
    expect(readBroken(nested(65)).codes).toEqual(['GG1006']);
    expect(readBroken(nested(100_000)).codes).toEqual(['GG1006']);
    expect(readBroken(nested(65)).read[0]).toContain('l:1');
  });

  it('sixty-six levels of calls are too many', () => {
    const nested = (depth: number) => `${'f('.repeat(depth)}x${')'.repeat(depth)}`;
    expect(readBroken(nested(60)).codes).toEqual([]);
    expect(readBroken(nested(100_000)).codes).toEqual(['GG1006']);
  });

  it('brackets that never close end with the file', () => {
    expect(readBroken(`(a { k: ${'['.repeat(10_000)}`).codes).toEqual(['GG1006', 'GG1001']);
    expect(readBroken('{'.repeat(10_000)).codes).toEqual(['GG1001']);
  });

  it('shows only the beginning of a long token', () => {
    const { diagnostics } = parse(createSourceFile('t.gg', `(a ${'b'.repeat(500)})`));
    expect(diagnostics[0]?.message.length).toBeLessThan(80);
  });
});
