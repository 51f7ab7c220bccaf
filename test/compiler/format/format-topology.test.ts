import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { hasErrors } from '../../../src/base/diagnostics/diagnostic.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { formatTopology } from '../../../src/compiler/format/format-topology.js';
import { parse } from '../../../src/compiler/syntax/parse.js';
import { commentedTopologies } from '../../arbitraries/commented.js';
import { runs } from '../../arbitraries/runs.js';
import { codeBlocks } from '../../docs/markdown.js';
import { outline } from '../syntax/outline.js';

/** The formatted text, after a check that it says the same, keeps every comment and is formatted. */
function format(text: string): string {
  const source = createSourceFile('a.gg', text);
  const before = parse(source);
  const { value, diagnostics } = formatTopology(source);
  expect(diagnostics).toEqual([]);
  const after = parse(createSourceFile('b.gg', value));
  expect(outline(after.value), value).toEqual(outline(before.value));
  expect(commentsOf(value), value).toEqual(commentsOf(text));
  expect(formatTopology(createSourceFile('c.gg', value)).value).toBe(value);
  return value;
}

/** The comments of a text, without the blanks at the ends of their lines. */
function commentsOf(text: string): string[] {
  const { comments, file } = parse(createSourceFile('a.gg', text)).value;
  return comments.map(({ start, end }) => {
    const each = file.text.slice(start, end).split(/\r\n?|\n/);
    return each.map((line) => line.trim()).join('\n');
  });
}

/** Lines joined to a text. */
function lines(...each: string[]): string {
  return `${each.join('\n')}\n`;
}

const long = 'a_name_that_takes_a_good_deal_of_the_line';

describe('formatting keeps the meaning and the comments of a topology, and is idempotent', () => {
  it('for any topology, with comments in any gap', () => {
    fc.assert(
      fc.property(commentedTopologies, (text) => void format(text)),
      { numRuns: runs(400) },
    );
  });

  it('for any text without syntax errors, and does not change any other text', () => {
    fc.assert(
      fc.property(commentedTopologies, fc.nat(), fc.nat(30), (whole, place, length) => {
        const start = place % whole.length;
        const text = whole.slice(0, start) + whole.slice(start + length);
        const { diagnostics, value } = formatTopology(createSourceFile('a.gg', text));
        if (diagnostics.length === 0) format(text);
        else expect(value).toBe(text);
      }),
      { numRuns: runs(300) },
    );
  });

  const files = [...globSync('golden/*/*.gg'), ...globSync('docs/examples/**/*.gg')];
  const readable = files.filter((file) => {
    const { diagnostics } = parse(createSourceFile(file, readFileSync(file, 'utf8')));
    return !hasErrors(diagnostics);
  });

  it.each(readable)('for %s', (file) => {
    format(readFileSync(file, 'utf8'));
  });

  it.each(files.filter((file) => !readable.includes(file)))('and does not change %s', (file) => {
    const text = readFileSync(file, 'utf8');
    const { value, diagnostics } = formatTopology({ name: file, text });
    expect(value).toBe(text);
    expect(hasErrors(diagnostics)).toBe(true);
  });

  it.each(globSync('docs/examples/**/*.gg'))('for the file %s', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(formatTopology(createSourceFile(file, text)).value).toBe(text);
  });

  const blocks = globSync('docs/*.md').flatMap((page) => codeBlocks(readFileSync(page, 'utf8')));
  it('for the examples of the pages', () => {
    const topologies = blocks.filter(({ language }) => language === 'gg').map(({ text }) => text);
    expect(topologies.length).toBeGreaterThan(10);
    for (const text of topologies) if (!hasErrors(parse({ name: '', text }).diagnostics)) format(text);
  });
});

describe('one spelling', () => {
  it.each([
    ["(a:X{k='v'})", "(a: X { k: 'v' })"],
    ['( a : X : Y )', '(a: X:Y)'],
    ['(a,b)-[:FOLD{n:1}]->(c)', '(a | b)-[:FOLD { n: 1 }]->(c)'],
    ['(a)  -  [:P]  ->  (b)', '(a)-[:P]->(b)'],
    ['(a {})-[:P {}]->(b)', '(a)-[:P]->(b)'],
    ['x-[:P]->y', '(x)-[:P]->(y)'],
    ['(a { k: 1, })', '(a { k: 1 })'],
    ['(a { k: [ 1,2, ] })', '(a { k: [1, 2] })'],
    ['(a { k: [], l: [ [String!]! ] ! })', '(a { k: [], l: [[String!]!]! })'],
    ['(a { s=Status=ACTIVE, t :Int  =  20 })', '(a { s: Status = ACTIVE, t: Int = 20 })'],
    ["import {a,b} from './x.gg';", "import { a, b } from './x.gg'"],
    ['import "./x.gg"', "import './x.gg'"],
    ['export{a,}', 'export { a }'],
    ['export {}', 'export {}'],
    ['(a)(b)', '(a)\n(b)'],
    ['f( g(x) ) . h( )', 'f(g(x)).h()'],
    ['x\n.f()', 'x\n  .f()'],
    ['(2)-[:P]->(1_10)', '(2)-[:P]->(1_10)'],
  ])('%j', (text, expected) => {
    expect(format(text)).toBe(`${expected}\n`);
  });

  it.each([
    ['"plain"', "'plain'"],
    ["''", "''"],
    ['""', "''"],
    [`"it's"`, `"it's"`],
    [`'it\\'s'`, `"it's"`],
    [`'say "hi"'`, `'say "hi"'`],
    [`"say \\"hi\\""`, `'say "hi"'`],
    [`"both ' and \\""`, `'both \\' and "'`],
    ["'C:\\temp\\'", undefined],
    ['"C:\\temp\\\\"', "'C:\\temp\\\\'"],
    [`"\\\\\\"'"`, `'\\\\"\\''`],
  ])('the text %s', (text, expected) => {
    if (expected === undefined) return;
    expect(format(`(a { k: ${text} })`)).toBe(`(a { k: ${expected} })\n`);
  });

  it('of a string keeps its value', () => {
    const piece = fc.constantFrom('a', "'", '"', "\\'", '\\"', '\\\\', '\\n', ')', '//', '\\é');
    const quote = fc.constantFrom("'", '"');
    fc.assert(
      fc.property(fc.array(piece), quote, (pieces, mark) => {
        format(`(a { k: ${mark}${pieces.filter((each) => each !== mark).join('')}${mark} })`);
      }),
    );
  });

  it.each(['2.0', '1e9', '-5', '1E+21', '9007199254740993', '007'])('keeps the number %s unchanged', (number) => {
    expect(format(`(a { k: ${number} })`)).toBe(`(a { k: ${number} })\n`);
  });
});

describe('line breaks', () => {
  it('are added if a property map does not fit on the line', () => {
    expect(format(`(${long}: Record { ${long}: Int, another: String!, and_one_more: [Boolean!]! })`)).toBe(
      lines(`(${long}: Record {`, `  ${long}: Int,`, '  another: String!,', '  and_one_more: [Boolean!]!,', '})'),
    );
  });

  it('are removed if the map fits, unless a line break follows its bracket', () => {
    expect(format('(a { k: 1,\n  l: 2 })')).toBe('(a { k: 1, l: 2 })\n');
    expect(format('(a {\n k: 1, l: 2 })')).toBe(lines('(a {', '  k: 1,', '  l: 2,', '})'));
    expect(format('(a { k: [\n1, 2] })')).toBe(lines('(a {', '  k: [', '    1,', '    2,', '  ],', '})'));
    expect(format('export {\n  a }')).toBe(lines('export {', '  a,', '}'));
    expect(format('(a)-[:P {\n}]->(b)')).toBe('(a)-[:P]->(b)\n');
  });

  it('are added in the target first', () => {
    expect(format(`(a)-[:P { k: 1 }]->(b: B { ${long}: Int, ${long}_2: Int, x: Int })`)).toBe(
      lines('(a)-[:P { k: 1 }]->(b: B {', `  ${long}: Int,`, `  ${long}_2: Int,`, '  x: Int,', '})'),
    );
    expect(format(`(a)-[:FORK]->(${long} { k: 1 } | ${long}_2 | c)`)).toBe(
      lines('(a)-[:FORK]->(', `    ${long} { k: 1 }`, `  | ${long}_2`, '  | c', ')'),
    );
  });

  it('are added before the edge if that is enough', () => {
    expect(format(`(${long} { k: Int })-[:FOLD { returns: [Int!]! }]->(${long})`)).toBe(
      lines(`(${long} { k: Int })`, `  -[:FOLD { returns: [Int!]! }]->(${long})`),
    );
  });

  it('are added in the edge if it is too long for one line', () => {
    expect(format(`(a)-[:P { ${long}: Int, ${long}_2: Int, x: Int }]->(b)`)).toBe(
      lines('(a)-[:P {', `  ${long}: Int,`, `  ${long}_2: Int,`, '  x: Int,', '}]->(b)'),
    );
  });

  it('are added in the source if nothing else is long', () => {
    expect(format(`(${long} | ${long}_2 | ${long}_3)-[:RACE]->(b)`)).toBe(
      lines('(', `    ${long}`, `  | ${long}_2`, `  | ${long}_3`, ')-[:RACE]->(b)'),
    );
  });

  it('are added before every edge of a chain that does not fit', () => {
    expect(format(`(a)-[:P]->(${long})-[:Q]->(${long})-[:R]->(c)`)).toBe(
      lines('(a)', `  -[:P]->(${long})`, `  -[:Q]->(${long})`, '  -[:R]->(c)'),
    );
  });

  it('are added before every edge if there is one before any', () => {
    expect(format('(a)-[:P]->(b)\n-[:Q]->(c)')).toBe(lines('(a)', '  -[:P]->(b)', '  -[:Q]->(c)'));
    expect(format('(a)-[:P]->(b {\n k: 1 })-[:Q]->(c)')).toBe(
      lines('(a)', '  -[:P]->(b {', '    k: 1,', '  })', '  -[:Q]->(c)'),
    );
  });

  it('are added before every call of a chain that does not fit', () => {
    expect(format(`x.${long}().${long}_2().f().ghijk()`)).toBe(
      lines('x', `  .${long}()`, `  .${long}_2()`, '  .f()', '  .ghijk()'),
    );
  });

  it('are added after 100 characters', () => {
    const text = `x.${long}().${long}_2().f().gh()\n`;
    expect(text.trimEnd()).toHaveLength(100);
    expect(format(text)).toBe(text);
  });

  it('are not added in a single token', () => {
    const text = `(${long}_${long}_${long})\n`;
    expect(format(text)).toBe(text);
  });
});

describe('empty lines', () => {
  it('are at most one between statements, and removed at the ends', () => {
    expect(format('\n\n(a)\n\n\n\n(b)\n(c)\n\n')).toBe('(a)\n\n(b)\n(c)\n');
  });

  it('are at most one between properties, and removed at the ends', () => {
    expect(format('(a {\n\n k: 1,\n\n\n l: 2,\n\n})')).toBe('(a {\n  k: 1,\n\n  l: 2,\n})\n');
  });

  it('may separate comments from the code below', () => {
    expect(format('// head\n\n\n// of a\n(a)')).toBe('// head\n\n// of a\n(a)\n');
  });
});

describe('comments', () => {
  it.each([
    ['stay at the end of a line', '(a)   // why\n(b)', '(a) // why\n(b)\n'],
    ['stay above the code below them', '// why\n(a)', '// why\n(a)\n'],
    ['may be all that there is', '\n// one\n\n\n/* two */\n', '// one\n\n/* two */\n'],
    ['stay at the end of the file', '(a)\n// end', '(a)\n// end\n'],
    ['stay between an edge and its source', '(a)\n// why\n-[:P]->(b)', '(a)\n  // why\n  -[:P]->(b)\n'],
    ['stay at the end of a hop', '(a)-[:P]->(b) // x\n-[:Q]->(c)', '(a)\n  -[:P]->(b) // x\n  -[:Q]->(c)\n'],
    ['stay behind an opening bracket', '(a { // why\nk: 1 })', '(a { // why\n  k: 1,\n})\n'],
    ['stay behind a property', '(a { k: 1 // why\n, l: 2 })', '(a {\n  k: 1, // why\n  l: 2,\n})\n'],
    ['stay above a property', '(a { k: 1,\n// why\nl: 2 })', '(a {\n  k: 1,\n  // why\n  l: 2,\n})\n'],
    ['stay below the last property', '(a { k: 1\n\n// x\n})', '(a {\n  k: 1,\n\n  // x\n})\n'],
    ['may fill a map', '(a { // x\n})', '(a { // x\n})\n'],
    ['may fill a map on one line', '(a { /* x */ })', '(a { /* x */ })\n'],
    ['may fill a map with lines', '(a {\n// x\n/* y */ })', '(a {\n  // x\n  /* y */\n})\n'],
    ['stay in a list', '(a { k: [1, /* two */ 2] })', '(a { k: [1, /* two */ 2] })\n'],
    ['stay close to the code before them', '(a /* x */ | b)', '(a /* x */ | b)\n'],
    ['break the list that they end a line of', '(a | // x\nb)', '(\n    a // x\n  | b\n)\n'],
    ['stay above a pipe', '(a\n// x\n| b)', '(\n    a\n  // x\n  | b\n)\n'],
    ['stay at the only node of a group', '( // x\na)', '( // x\n  a\n)\n'],
    ['stay in unusual places', '(a /*1*/ : /*2*/ X)', '(a /*1*/ : /*2*/ X)\n'],
    ['stay before a semicolon that goes', "import './x.gg' /* y */ ;", "import './x.gg' /* y */\n"],
    ['stay before the code on their line', '/* x */ (a)', '/* x */ (a)\n'],
    ['part two statements on a line', '(a) /* x */ (b)', '(a)\n/* x */ (b)\n'],
    ['lose blanks at their ends', '(a) // x  \t\n', '(a) // x\n'],
  ])('%s', (_, text, expected) => {
    expect(format(text)).toBe(expected);
  });

  it('of documentation stay directly before the code that they document', () => {
    expect(format('/// of a\n(a { k: 1, /// of l\nl: 2 })-[:P]->(/// of b\nb | /// of c\nc) /// of d\n(d)')).toBe(
      lines(
        '/// of a',
        '(a {',
        '  k: 1,',
        '  /// of l',
        '  l: 2,',
        '})-[:P]->(',
        '    /// of b',
        '    b',
        '  | /// of c',
        '    c',
        ')',
        '/// of d',
        '(d)',
      ),
    );
  });

  it.each(['(a { k: 1 /// of nothing\n, l: 2 })', "import './x.gg' /// of nothing\n; (a)", '(a /// no\n | b)'])(
    'of documentation without a target do not get one: %j',
    (text) => {
      format(text);
    },
  );

  it('stay on their side of a separator', () => {
    const text = lines('(a {', '  x: 1 // of x', '  , // of y', '  y: 2', '})');
    expect(format(text)).toBe(lines('(a {', '  x: 1, // of x', '  // of y', '  y: 2,', '})'));
  });

  it('over several lines are indented as a whole if each line has a star', () => {
    expect(format('(a {\n/*\n    * x\n  *  y\n */\nk: 1 })')).toBe(
      lines('(a {', '  /*', '   * x', '   *  y', '   */', '  k: 1,', '})'),
    );
  });

  it('over several lines are otherwise unchanged', () => {
    expect(format('(a {\n/* x\n      y\n z */\nk: 1 })')).toBe(
      lines('(a {', '  /* x', '      y', ' z */', '  k: 1,', '})'),
    );
  });

  it('continue to ignore the findings of all statements of their line', () => {
    const ignored = [
      '(root)-[:PROCESS]->(depot)',
      '(depot)-[:MEASURE]->(load) (root)-[:PROCESS]->(load)   // gg-ignore GG2010: nobody asks',
      '(a)-[:TUNNEL]->(load) /* b */ (load { id: ID! }) (load { size: Int }) (root)-[:PROCESS]->(a) // gg-ignore GG2010: x',
      '(load) (depot)',
    ].join('\n');
    expect(analyze(ignored).diagnostics).toEqual([]);
    const formatted = format(ignored);
    expect(analyze(formatted).diagnostics).toEqual([]);
    expect(format(formatted)).toBe(formatted);
    expect(formatted.endsWith('\n(load)\n(depot)\n')).toBe(true);
  });

  it('continue to ignore findings', () => {
    const ignored = [
      '(root)-[:PROCESS]->(depot)',
      `(depot)-[:MEASURE]->(load { ${long}: Int, ${long}_2: Int }) // gg-ignore GG2010: nobody asks`,
      '// gg-ignore GG2010: nobody asks',
      `(depot)-[:TUNNEL]->(cellar)-[:MEASURE { ${long}: 1 }]->(load)`,
    ].join('\n');
    expect(analyze(ignored).diagnostics).toEqual([]);
    expect(analyze(format(ignored)).diagnostics).toEqual([]);
  });

  it('do not count for the width of a line', () => {
    const text = `(a { k: 1, l: 2 }) // ${'x'.repeat(200)}\n`;
    expect(format(text)).toBe(text);
  });
});

describe('the text as a whole', () => {
  it.each(['', '\n\n', '   ', '\ufeff'])('is empty for %j', (text) => {
    expect(format(text)).toBe('');
  });

  it('has the line endings of its first line', () => {
    expect(format('(a)\r\n/* x\r\n y */\n(b { // k\n})')).toBe('(a)\r\n/* x\r\n y */\r\n(b { // k\r\n})\r\n');
    expect(format('(a)\n(b)\r\n')).toBe('(a)\n(b)\n');
    expect(format('(a)\r(b)\r')).toBe('(a)\n(b)\n');
    expect(format('\n(a)\r\n')).toBe('(a)\n');
  });

  it('begins with no byte order mark', () => {
    expect(formatTopology({ name: 'a.gg', text: '\ufeff(a)' }).value).toBe('(a)\n');
  });

  it('gives errors, but no warnings', () => {
    const { value, diagnostics } = formatTopology({ name: 'a.gg', text: 'x-[:P]->y\n(a' });
    expect(value).toBe('x-[:P]->y\n(a');
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG1001']);
  });
});
