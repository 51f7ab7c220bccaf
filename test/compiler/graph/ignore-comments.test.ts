import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/base/diagnostics/diagnostic.js';
import { type AnalyzeOptions, analyze, type SourceInput } from '../../../src/compiler/analyze.js';
import { formatTopology } from '../../../src/compiler/format/format-topology.js';
import { applyIgnores } from '../../../src/compiler/graph/ignore-comments.js';

/** The findings as `GG2010 «text»`, with the text at the place cut at its first line. */
function findings(source: string | SourceInput[], options?: AnalyzeOptions): string[] {
  const { diagnostics, sources } = analyze(source, options);
  return diagnostics.map(({ code, span }) => {
    const text = sources.find(({ name }) => name === span.file)?.text ?? '';
    return `${code} «${text.slice(span.start, span.end).split('\n')[0]}»`;
  });
}

const query = '(root)-[:PROCESS]->(a { id: ID! })';

describe('a comment that ignores', () => {
  it.each([
    ['on the line before', `${query}\n// gg-ignore GG2010: why\n(a)-[:MEASURE]->(b)`],
    ['at the end of the line', `${query}\n(a)-[:MEASURE]->(b) // gg-ignore GG2010: why`],
    ['in a block', `${query}\n/* gg-ignore GG2010: why */ (a)-[:MEASURE]->(b)`],
    ['in a block behind', `${query}\n(a)-[:MEASURE]->(b) /* gg-ignore GG2010: why */`],
    ['without a space', `${query}\n//gg-ignore GG2010:why\n(a)-[:MEASURE]->(b)`],
    ['in small letters', `${query}\n// gg-ignore gg2010: why\n(a)-[:MEASURE]->(b)`],
    ['above empty lines', `${query}\n// gg-ignore GG2010: why\n\n\n(a)-[:MEASURE]->(b)`],
    ['above other comments', `${query}\n// gg-ignore GG2010: why\n// b\n/// Doc.\n(a)-[:MEASURE]->(b)`],
    ['on Windows', `${query}\r\n// gg-ignore GG2010: why\r\n(a)-[:MEASURE]->(b)\r\n`],
    ['with a colon in the reason', `${query}\n(a)-[:MEASURE]->(b) // gg-ignore GG2010: see: there`],
  ])('removes the finding, %s', (_, text) => {
    expect(findings(text)).toEqual([]);
  });

  it('removes every finding of its code that begins on the line, and no other', () => {
    const text = `${query}\n(a { x: Strin, y: Flot })-[:MEASURE]->(b)`;
    expect(findings(text)).toEqual(['GG2007 «Strin»', 'GG2007 «Flot»', 'GG2010 «MEASURE»']);
    expect(findings(`${text} // gg-ignore GG2007: texts`)).toEqual(['GG2010 «MEASURE»']);
    expect(findings(`${text} // gg-ignore GG2007, GG2010: both`)).toEqual([]);
  });

  it('applies inside a property map', () => {
    const text = (comment: string) => `(root)-[:PROCESS]->(a {\n  id: ID!,\n${comment}  x: Strin,\n})`;
    expect(findings(text(''))).toEqual(['GG2007 «Strin»']);
    expect(findings(text('  // gg-ignore GG2007: it is a text\n'))).toEqual([]);
  });

  it.each([
    ['behind its end', (x: string) => `(a)\n  -[:MEASURE {\n    every: 60,\n  }]->(b) ${x}`],
    ['before its beginning', (x: string) => `${x}\n(\n  a\n)\n  -[:MEASURE]->(b)`],
    ['before its documentation', (x: string) => `${x}\n/// Doc.\n(a)\n  -[:MEASURE]->(b)`],
    ['behind the second on the line', (x: string) => `(a)\n  -[:MEASURE]->(b) (c)-[:TUNNEL]->(d) ${x}`],
  ])('applies to a whole statement, %s', (_, text) => {
    expect(findings(`${query}\n${text('')}`)).toContain('GG2010 «MEASURE»');
    expect(findings(`${query}\n${text('// gg-ignore GG2010: why')}`)).toEqual([]);
  });

  it('applies to a statement that ends on its line, and to the line of a longer statement', () => {
    const text = (comment: string) => `${query}\n(a)-[:MEASURE]->\n(b)-[:PROCESS]->${comment}`;
    expect(findings(text('(c)// gg-ignore GG2010: why'))).toEqual([]);
    expect(findings(text('/* gg-ignore GG2010: why */(c)'))).toEqual(['GG2010 «MEASURE»', 'GG2021 «GG2010»']);
  });

  it('inside a statement applies to a line', () => {
    const text = (x: string, y: string) => `(root)-[:PROCESS]->(a {\n  ${x}\n  x: Strin, ${y}\n  y: Strin,\n})`;
    expect(findings(text('// gg-ignore GG2007: a text', ''))).toHaveLength(1);
    expect(findings(text('', '// gg-ignore GG2007: a text'))).toHaveLength(1);
  });

  it('can be stacked above each other', () => {
    const text = `${query}\n// gg-ignore GG2007: one\n// gg-ignore GG2010: other\n(a { x: Strin })-[:MEASURE]->(b)`;
    expect(findings(text)).toEqual([]);
  });

  it('removes a finding of the lexer or the grammar', () => {
    expect(findings(`${query}\nroot-[:PROCESS]->(a) // gg-ignore GG1011: old`)).toEqual([]);
    expect(findings(`root-[:PROCESS]->(a { id: ID! }) // gg-ignore GG1011: old`)).toEqual([]);
  });

  it('at the top of a file applies to the whole file', () => {
    expect(findings('// gg-ignore GG3010: only events\n(f)-[:FOLD]->(a)')).toEqual([]);
    expect(findings('/* A */\n// gg-ignore GG3010: only events\n\n(f)-[:FOLD]->(a)')).toEqual([]);
    expect(findings('(f)-[:FOLD]->(a) // gg-ignore GG3010: too late')).toEqual(['GG3010 «»', 'GG2021 «GG3010»']);
  });

  it('applies only to its own file', () => {
    const other = { name: 'b.gg', source: '// gg-ignore GG2010: why\n(a)-[:MEASURE]->(b)' };
    expect(findings([{ name: 'a.gg', source: query }, other])).toEqual([]);
    const whole = { name: 'b.gg', source: '// gg-ignore GG3010: why\n(a)' };
    expect(findings([{ name: 'a.gg', source: '(f)-[:FOLD]->(a)' }, whole])).toEqual(['GG3010 «»', 'GG2021 «GG3010»']);
    const main = { name: 'a.gg', source: `${query}\n(a)-[:MEASURE]->(b)` };
    expect(
      findings([main, { name: 'b.gg', source: `(c)-[:PROCESS]->(d)\n// gg-ignore GG2010: why\n(a)-[:TUNNEL]->(b)` }]),
    ).toEqual(['GG2010 «MEASURE»']);
  });

  it('does not remove a finding about another file', () => {
    const { ast } = analyze(`${query} // gg-ignore GG2010: why`);
    const finding = diagnose('GG2010', { type: 'MEASURE', count: 1 }, { file: 'elsewhere.gg', start: 0, end: 1 });
    expect(applyIgnores(ast.documents, [finding])).toContain(finding);
  });

  it('is not recognized in a string or in a doc comment', () => {
    expect(findings(`(root)-[:PROCESS]->(a { x: '// gg-ignore GG2010' })`)).toEqual([]);
    expect(findings(`/// gg-ignore GG2010\n${query}`)).toEqual([]);
    expect(findings(`// gg-ignored GG2010\n// see gg-ignore GG2010\n// gg-ignore-all\n${query}`)).toEqual([]);
  });
});

describe('an unused ignore comment', () => {
  it('is reported, with the code at its place', () => {
    expect(findings(`${query} // gg-ignore GG2010: gone`)).toEqual(['GG2021 «GG2010»']);
    const [finding] = analyze(`${query} // gg-ignore GG2010: gone`).diagnostics;
    expect(finding?.severity).toBe('warning');
    expect(finding?.fix?.description).toBe('Remove the comment');
    expect(findings(`${query} // gg-ignore GG2010`)).toEqual(['GG2021 «GG2010»']);
  });

  it.each([
    ['behind code', `${query}  // gg-ignore GG2010: gone\n(b)\n`, `${query}\n(b)\n`],
    ['behind code, at the end', `${query} // gg-ignore GG2010: gone`, query],
    ['on its own line', `${query}\n  // gg-ignore GG2010: gone \n(b)\n`, `${query}\n(b)\n`],
    ['on its own line on Windows', `${query}\r\n// gg-ignore GG2010: gone\r\n(b)`, `${query}\r\n(b)`],
    ['at the end', `${query}\n// gg-ignore GG2010: gone`, `${query}\n`],
    ['before code', `/* gg-ignore GG2010: gone */ ${query}`, ` ${query}`],
    ['before code and more lines', `/* gg-ignore GG2010: gone */ ${query}\n(b)`, ` ${query}\n(b)`],
    ['before indented code', `${query}\n  /* gg-ignore GG2010: gone */ (b)`, `${query}\n   (b)`],
    ['before blanks', `${query}\n/* gg-ignore GG2010: gone */  \n(b)`, `${query}\n(b)`],
    ['before blanks, at the end', `${query}\n/* gg-ignore GG2010: gone */  `, `${query}\n`],
  ])('can be removed by its fix, %s', (_, text, left) => {
    const [edit] = analyze(text).diagnostics.find(({ code }) => code === 'GG2021')?.fix?.edits ?? [];
    if (edit === undefined) throw new Error('there is no fix');
    const fixed = text.slice(0, edit.span.start) + edit.text + text.slice(edit.span.end);
    expect(fixed).toBe(left);
  });

  it('is reported for each of its codes', () => {
    const text = `${query}\n(a)-[:MEASURE]->(b) // gg-ignore GG2010, GG2007, GG3021: some`;
    expect(findings(text)).toEqual(['GG2021 «GG2007»', 'GG2021 «GG3021»']);
    expect(analyze(text).diagnostics[0]?.fix).toBeUndefined();
  });

  it('is reported at the end of the file', () => {
    expect(findings(`${query}\n// gg-ignore GG2010: nothing`)).toEqual(['GG2021 «GG2010»']);
  });

  it('is reported beside another comment with its code that is in use', () => {
    const text = `${query}\n(a)-[:MEASURE]->(b) // gg-ignore GG2010: why\n(a) // gg-ignore GG2010: gone`;
    expect(findings(text)).toEqual(['GG2021 «GG2010»']);
    expect(findings(text.replace('why', ''))).toEqual(['GG2022 «// gg-ignore GG2010: »', 'GG2021 «GG2010»']);
  });

  it('is reported if another comment already ignores the finding', () => {
    const text = `${query}\n// gg-ignore GG2010: one\n(a)-[:MEASURE]->(b) // gg-ignore GG2010: two`;
    expect(findings(text)).toEqual([]);
  });

  it('is not reported while there are errors, because findings are missing', () => {
    expect(findings(`// gg-ignore GG3021: later\n(x { y: Nope! })\n${query}`)).toEqual(['GG2008 «Nope»']);
    expect(
      findings(`// gg-ignore GG3021: later\n(x\n${query}`).filter((finding) => !finding.startsWith('GG1')),
    ).toEqual([]);
  });
});

describe('an incorrect ignore comment', () => {
  it.each([
    ['GG2010', '«// gg-ignore GG2010»'],
    ['GG2010:', '«// gg-ignore GG2010:»'],
    ['GG2010: ', '«// gg-ignore GG2010: »'],
    ['GG2010 because', '«// gg-ignore GG2010 because»'],
    ['GG2010 notGG2007', '«// gg-ignore GG2010 notGG2007»'],
  ])('works, but is reported without a reason: %s', (rest, place) => {
    expect(findings(`${query}\n(a)-[:MEASURE]->(b) // gg-ignore ${rest}`)).toEqual([`GG2022 ${place}`]);
  });

  it('is reported without a reason in a block', () => {
    const comment = '/* gg-ignore GG2010: */';
    expect(findings(`${query}\n(a)-[:MEASURE]->(b) ${comment}`)).toEqual([`GG2022 «${comment}»`]);
  });

  it('is reported with an unknown code and a suggestion', () => {
    const hint = (code: string) => analyze(`${query} // gg-ignore ${code}: x`).diagnostics[0]?.hint;
    expect(findings(`${query} // gg-ignore GG2999: x`)).toEqual(['GG2023 «GG2999»']);
    expect(findings(`${query}\n(a)-[:MEASURE]->(b) // gg-ignore GG2010 because: x`)).toEqual(['GG2023 «because»']);
    expect(hint('GG20100')).toBe('Did you mean GG2010?');
    expect(hint('edge-type-not-projected')).toBe('Did you mean GG2010?');
    expect(hint('everything')).toBe('Write the code of the finding: // gg-ignore GG2010: because …');
  });

  it('is reported without a code', () => {
    expect(findings(`${query} // gg-ignore everything`)).toEqual(['GG2023 «everything»']);
    for (const rest of ['', ':', ': all of it']) {
      expect(findings(`${query}\n// gg-ignore${rest}\n(a)`)).toEqual([`GG2023 «// gg-ignore${rest}»`]);
    }
  });

  it('cannot ignore an error', () => {
    expect(findings(`(query) // gg-ignore GG3002: so what\n${query}`)).toEqual(['GG3002 «query»', 'GG2024 «GG3002»']);
    expect(findings(`${query} // gg-ignore GG3002: none here`)).toEqual(['GG2024 «GG3002»']);
  });

  it.each(['GG2021', 'GG2022', 'GG2023', 'GG2024'])('of %s, a finding about ignore comments', (code) => {
    expect(findings(`// gg-ignore ${code}: x\n${query}`)).toEqual([`GG2024 «${code}»`]);
  });

  it('cannot ignore a finding about itself', () => {
    const text = `// gg-ignore GG2021: x\n${query} // gg-ignore GG2010: gone`;
    expect(findings(text)).toEqual(['GG2024 «GG2021»', 'GG2021 «GG2010»']);
  });
});

describe('a formatted topology', () => {
  const long = Array.from({ length: 8 }, (_, index) => `note_${index}: 'some words'`).join(', ');

  it.each([
    ['behind', `${query}\n(a)-[:MEASURE { ${long} }]->(b) // gg-ignore GG2010: why`],
    ['before', `${query}\n// gg-ignore GG2010: why\n(a)-[:MEASURE { ${long} }]->(b)`],
    ['before a node with a word', `${query}\n// gg-ignore GG2007: why\n(a { ${long}, x: Strin })`],
    ['behind a node with a word', `${query}\n(a { ${long}, x: Strin }) // gg-ignore GG2007: why`],
    ['behind a chain', `${query}\n(a)-[:PROCESS { ${long} }]->(b)-[:MEASURE]->(c) // gg-ignore GG2010: why`],
  ])('keeps its ignored findings, %s', (_, text) => {
    expect(findings(text)).toEqual([]);
    const { value: formatted } = formatTopology({ name: 'topology.gg', text });
    expect(formatted.split('\n').length).toBeGreaterThan(6);
    expect(findings(formatted)).toEqual([]);
  });
});
