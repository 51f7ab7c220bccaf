import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnose } from '../../../src/base/diagnostics/diagnostic.js';
import { displayText, displayWidth } from '../../../src/base/diagnostics/render/display-text.js';
import { renderFrame } from '../../../src/base/diagnostics/render/frame.js';
import type { Report } from '../../../src/base/diagnostics/render/report.js';
import { reporters } from '../../../src/base/diagnostics/render/reporters.js';
import { renderSummary, textReporter } from '../../../src/base/diagnostics/render/text.js';
import { createSourceFile, type SourceFile } from '../../../src/base/source/source-file.js';
import type { Span } from '../../../src/base/source/span.js';

const plain = { gutter: (text: string) => text, marker: (text: string) => text };
const options = { color: false, toolVersion: '1.2.3', helpPage: () => undefined };

/** The span of the first occurrence of `piece`. */
function spanOf(source: SourceFile, piece: string): Span {
  const start = source.text.indexOf(piece);
  if (start === -1) throw new Error(`no ${JSON.stringify(piece)} in the source`);
  return { file: source.name, start, end: start + piece.length };
}

function frameOf(text: string, piece: string, message?: string): string {
  const source = createSourceFile('a.gg', text);
  return renderFrame(source, spanOf(source, piece), plain, message);
}

function renderText(report: Report, color = false): string {
  return textReporter.render(report, { ...options, color });
}

/** The place of the first line's carets, as `[column, width]`, counted from 0 after the gutter. */
function caretsOf(frame: string): [number, number] {
  const rows = frame.split('\n');
  const row = rows.find((candidate) => /^\s*\|\s*\^+/.test(candidate)) ?? '';
  const content = row.slice(row.indexOf('|') + 2);
  return [content.indexOf('^'), content.length - content.indexOf('^')];
}

describe('a frame', () => {
  test('shows the marked line between its neighbours, with carets under the span', () => {
    expect(frameOf('(a)\n(b: Label)\n(c)\n(d)\n', 'Label')).toBe(
      ['  1 | (a)', '> 2 | (b: Label)', '    |     ^^^^^', '  3 | (c)'].join('\n'),
    );
  });

  test('puts the words of a label beside the carets', () => {
    expect(frameOf('(a)', 'a', 'declared here')).toBe('> 1 | (a)\n    |  ^ declared here');
  });

  test('places one caret for an empty span at the end of the file', () => {
    const source = createSourceFile('a.gg', '(a)-[:PROCESS]->');
    expect(renderFrame(source, { file: 'a.gg', start: 16, end: 16 }, plain)).toBe(
      '> 1 | (a)-[:PROCESS]->\n    |                 ^',
    );
  });

  test('of an empty file shows one empty line', () => {
    const source = createSourceFile('a.gg', '');
    expect(renderFrame(source, { file: 'a.gg', start: 0, end: 0 }, plain)).toBe('> 1 |\n    | ^');
  });

  test('accepts a span after the end of the text', () => {
    const source = createSourceFile('a.gg', '(a)\n');
    expect(renderFrame(source, { file: 'a.gg', start: 90, end: 99 }, plain)).toBe('  1 | (a)\n> 2 |\n    | ^');
  });

  test.each(['\n', '\r\n', '\r'])('treats %j as a line break and does not print it', (lineBreak) => {
    expect(frameOf(['(a)', '(b)', '(c)'].join(lineBreak), 'b')).toBe('  1 | (a)\n> 2 | (b)\n    |  ^\n  3 | (c)');
  });

  test('marks a span over several lines to the end of its first line', () => {
    const source = createSourceFile('a.gg', '(a {\n  x: 1\n})\n');
    expect(renderFrame(source, { file: 'a.gg', start: 1, end: 14 }, plain)).toBe(
      '> 1 | (a {\n    |  ^^^\n  2 |   x: 1',
    );
  });

  test('keeps the carets under the span after tabs, wide letters, emoji and combining marks', () => {
    expect(caretsOf(frameOf('\t(a)', 'a'))).toEqual([5, 1]);
    expect(caretsOf(frameOf("(a { t: '日本' b })", ' b '))).toEqual([14, 3]);
    expect(caretsOf(frameOf("(a { t: '🎉👩‍💻' b })", ' b '))).toEqual([14, 3]);
    expect(caretsOf(frameOf("(a { t: 'e\u0301' b })", ' b '))).toEqual([11, 3]);
    expect(caretsOf(frameOf("(a { t: '𝛽' b })", ' b '))).toEqual([11, 3]);
    expect(caretsOf(frameOf("(a { t: 'ﾊﾊ' b })", ' b '))).toEqual([12, 3]);
  });

  test('escapes control characters, and keeps the carets aligned', () => {
    const frame = frameOf("(a { t: '\u001b[31m\u202e' b })", ' b ');
    expect(frame).toContain("'\\x1b[31m\\u{202e}' b");
    expect(caretsOf(frame)).toEqual([26, 3]);
  });

  test('cuts a very long line around the span', () => {
    const frame = frameOf(`(${'a'.repeat(5000)} here ${'b'.repeat(5000)})`, 'here');
    const [row = '', carets = ''] = frame.split('\n');
    expect(row.length).toBeLessThan(180);
    expect(row).toMatch(/…a+ here b+…$/);
    expect(row.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('here');
  });

  test('cuts long spans and lines without splitting a character', () => {
    const frame = frameOf(`${'𝛽'.repeat(200)}x${'𝛽'.repeat(300)}`, `x${'𝛽'.repeat(300)}`);
    expect(frame).not.toMatch(/\\u\{d[89a-f]/);
    const [row = '', carets = ''] = frame.split('\n');
    expect(displayWidth(row)).toBe(carets.length);
  });

  test('costs the same in a file of many megabytes as in a small file', () => {
    const line = `(node { text: '${'x'.repeat(80)}' })\n`;
    const source = createSourceFile('big.gg', line.repeat(Math.ceil(16_000_000 / line.length)));
    // A frame that reads the whole text takes some 40 ms, and all of them longer than a test may take; a frame that
    // reads a window of the text takes microseconds.
    for (let at = 0; at < 3_000; at++) {
      const span = { file: 'big.gg', start: at * 5_000, end: at * 5_000 + 3 };
      expect(renderFrame(source, span, plain)).toContain('^');
    }
  });
});

describe('display text', () => {
  test('leaves plain text unchanged', () => {
    expect(displayText('“grün” 日本 👩‍💻')).toBe('“grün” 日本 👩‍💻');
  });

  test('escapes line breaks, control characters, direction marks and lone surrogates', () => {
    expect(displayText('a\tb\nc\rd')).toBe('a\\tb\\nc\\rd');
    expect(displayText('\u0000\u0007\u007f\u009b')).toBe('\\x00\\x07\\x7f\\x9b');
    expect(displayText('\u2028\u2066\ud800')).toBe('\\u{2028}\\u{2066}\\u{d800}');
  });
});

const source = createSourceFile('shop/a.gg', "(user { name: String! })\n(user { name: 'Int!' })\n");
const clash: Diagnostic = diagnose(
  'GG2006',
  { owner: 'Node “user”', property: 'name', one: 'String!', other: 'Int!' },
  spanOf(source, "name: 'Int!'"),
  {
    labels: [{ span: spanOf(source, 'name: String!'), message: 'declared here first' }],
    fix: {
      description: 'Write Int! without quotes.',
      edits: [{ span: spanOf(source, "'Int!'"), text: 'Int!' }],
    },
  },
);
const missing: Diagnostic = diagnose(
  'GG4001',
  { path: 'b.gg' },
  { file: 'b.gg', start: 0, end: 0 },
  { labels: [{ span: { file: 'c.gg', start: 0, end: 0 }, message: 'asked for here' }] },
);
const warning: Diagnostic = diagnose('GG2009', { text: 'Int!' }, spanOf(source, "'Int!'"));
const note: Diagnostic = diagnose('GG2010', { type: 'VENT', count: 2 }, { file: 'shop/a.gg', start: 0, end: 6 });

describe('the text report', () => {
  test('prints code, message, place, frame, related places, hint and fix', () => {
    expect(renderText({ diagnostics: [clash], sources: [source] })).toBe(
      [
        'error[GG2006] Node “user” declares “name” twice, as String! and as Int!.',
        ' --> shop/a.gg:2:9',
        '  1 | (user { name: String! })',
        "> 2 | (user { name: 'Int!' })",
        '    |         ^^^^^^^^^^^^',
        ' ::: shop/a.gg:1:9',
        '> 1 | (user { name: String! })',
        '    |         ^^^^^^^^^^^^^ declared here first',
        "  2 | (user { name: 'Int!' })",
        'hint: Declare the property once, or identically in both places.',
        'fix: Write Int! without quotes.',
        '',
        '1 error in 1 file',
        '',
      ].join('\n'),
    );
  });

  test('prints the name, but no frame, for a file without text', () => {
    expect(renderText({ diagnostics: [missing], sources: [] })).toBe(
      [
        'error[GG4001] Cannot find the file b.gg.',
        ' --> b.gg',
        ' ::: c.gg: asked for here',
        'hint: Check the path; put a glob such as topologies/*.gg in quotes.',
        '',
        '1 error in 1 file',
        '',
      ].join('\n'),
    );
  });

  test('is empty without findings', () => {
    expect(renderText({ diagnostics: [], sources: [source] })).toBe('');
  });

  test('differs only in colours with and without colours', () => {
    const report = { diagnostics: [clash, missing, warning, note], sources: [source] };
    const colored = renderText(report, true);
    expect(colored).toContain('\u001b[31m');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(renderText(report));
    expect(renderText(report)).not.toContain('\u001b');
  });

  test('escapes control sequences in messages, file names and labels', () => {
    const evil = '\u001b]0;title\u0007';
    const diagnostic = diagnose(
      'GG1001',
      { found: evil, expected: evil },
      { file: evil, start: 0, end: 0 },
      {
        labels: [{ span: { file: evil, start: 0, end: 0 }, message: evil }],
        fix: { description: evil, edits: [] },
      },
    );
    for (const sources of [[], [createSourceFile(evil, evil)]]) {
      for (const reporter of reporters) {
        expect(reporter.render({ diagnostics: [diagnostic], sources }, options)).not.toMatch(/[\u001b\u0007]/);
      }
    }
  });
});

describe('the summary', () => {
  test('counts each severity and the files that have findings', () => {
    expect(renderSummary([])).toBe('no findings');
    expect(renderSummary([note])).toBe('1 note in 1 file');
    expect(renderSummary([clash, clash, missing, warning])).toBe('3 errors, 1 warning in 2 files');
  });
});

function reportIn(format: string, report: Report, overrides: Partial<typeof options> = {}): string {
  const reporter = reporters.find((candidate) => candidate.format === format);
  if (reporter === undefined) throw new Error(`no format ${format}`);
  return reporter.render(report, { ...options, ...overrides });
}

describe('the json report', () => {
  test('is a versioned envelope with lines and columns at both ends', () => {
    const report = JSON.parse(reportIn('json', { diagnostics: [clash, note], sources: [source] }));
    expect(report).toEqual({
      version: 1,
      diagnostics: [
        {
          code: 'GG2006',
          name: 'property-clash',
          severity: 'error',
          message: clash.message,
          file: 'shop/a.gg',
          line: 2,
          column: 9,
          endLine: 2,
          endColumn: 21,
          hint: clash.hint,
          labels: [
            {
              file: 'shop/a.gg',
              line: 1,
              column: 9,
              endLine: 1,
              endColumn: 22,
              message: 'declared here first',
            },
          ],
          fix: {
            description: 'Write Int! without quotes.',
            edits: [{ file: 'shop/a.gg', line: 2, column: 15, endLine: 2, endColumn: 21, text: 'Int!' }],
          },
        },
        {
          code: 'GG2010',
          name: 'edge-type-not-projected',
          severity: 'information',
          message: note.message,
          file: 'shop/a.gg',
          line: 1,
          column: 1,
          endLine: 1,
          endColumn: 7,
          hint: note.hint,
          labels: [],
        },
      ],
      summary: { errors: 1, warnings: 0, information: 1, files: 1 },
    });
  });

  test('omits the place if the text of the file is unknown', () => {
    const report = JSON.parse(reportIn('json', { diagnostics: [missing], sources: [] }));
    expect(report.diagnostics[0]).toMatchObject({ code: 'GG4001', file: 'b.gg' });
    expect(report.diagnostics[0]).not.toHaveProperty('line');
    expect(report.diagnostics[0].labels).toEqual([{ file: 'c.gg', message: 'asked for here' }]);
  });

  test('is a complete envelope even without findings', () => {
    expect(JSON.parse(reportIn('json', { diagnostics: [], sources: [] }))).toEqual({
      version: 1,
      diagnostics: [],
      summary: { errors: 0, warnings: 0, information: 0, files: 0 },
    });
  });

  test('escapes special characters', () => {
    const odd = diagnose('GG1003', { found: '\u009b\u202e' }, { file: 'a.gg', start: 0, end: 0 });
    const text = reportIn('json', { diagnostics: [odd], sources: [] });
    expect(text).toContain('\\u009b\\u202e');
    expect(JSON.parse(text).diagnostics[0].message).toContain('\u009b\u202e');
  });
});

describe('the github report', () => {
  test('is one workflow command for each finding', () => {
    expect(reportIn('github', { diagnostics: [warning, note], sources: [source] })).toBe(
      `::warning file=shop/a.gg,line=2,endLine=2,col=15,endColumn=21,title=GG2009::${warning.message}%0A${warning.hint}\n` +
        `::notice file=shop/a.gg,line=1,endLine=1,col=1,endColumn=7,title=GG2010::${note.message}%0A${note.hint}\n`,
    );
  });

  test('lists related places after the message', () => {
    expect(reportIn('github', { diagnostics: [clash], sources: [source] })).toContain(
      '%0Ashop/a.gg:1:9: declared here first%0A',
    );
  });

  test('escapes characters that would end a property or the message', () => {
    const file = 'a,b:c%\nd.gg';
    const odd = diagnose('GG1001', { found: '50%\r\n::error::x', expected: 'y' }, { file, start: 0, end: 0 });
    const lines = reportIn('github', { diagnostics: [odd], sources: [] })
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('file=a%2Cb%3Ac%25\\nd.gg,title=GG1001::');
    expect(lines[0]).toContain('50%25\\r\\n::error::x');
  });

  test('omits the columns of a span over several lines', () => {
    const span = { file: 'shop/a.gg', start: 0, end: 30 };
    const odd = diagnose('GG1008', {}, span);
    expect(reportIn('github', { diagnostics: [odd], sources: [source] })).toContain(
      'file=shop/a.gg,line=1,endLine=2,title=GG1008',
    );
  });
});

describe('the sarif report', () => {
  const log = JSON.parse(
    reportIn(
      'sarif',
      { diagnostics: [clash, warning, missing, note], sources: [source] },
      { helpPage: ((code: string) => (code === 'GG2006' ? '# GG2006' : undefined)) as never },
    ),
  );
  const [run] = log.runs;

  test('is a 2.1.0 log with one run of this tool', () => {
    expect(log.version).toBe('2.1.0');
    expect(log.runs).toHaveLength(1);
    expect(run.tool.driver).toMatchObject({ name: 'gg-svc', version: '1.2.3' });
    expect(run.columnKind).toBe('utf16CodeUnits');
  });

  test('lists each code that occurs once as a rule, with its page as help', () => {
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual([
      'GG2006',
      'GG2009',
      'GG2010',
      'GG4001',
    ]);
    expect(run.tool.driver.rules[0]).toMatchObject({
      name: 'PropertyClash',
      help: { markdown: '# GG2006' },
      defaultConfiguration: { level: 'error' },
    });
    expect(run.tool.driver.rules[1].help).toEqual({ text: expect.stringContaining('gg-svc explain GG2009') });
  });

  test('links each result to its rule and its region', () => {
    for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(run.results.map((result: { level: string }) => result.level)).toEqual(['error', 'warning', 'error', 'note']);
    expect(run.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'shop/a.gg' },
      region: { startLine: 2, startColumn: 9, endLine: 2, endColumn: 21 },
    });
    expect(run.results[2].locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'b.gg' } });
  });

  test('contains related places and fixes', () => {
    expect(run.results[0].relatedLocations[0]).toMatchObject({
      id: 0,
      message: { text: 'declared here first' },
      physicalLocation: { region: { startLine: 1 } },
    });
    expect(run.results[0].fixes).toEqual([
      {
        description: { text: 'Write Int! without quotes.' },
        artifactChanges: [
          {
            artifactLocation: { uri: 'shop/a.gg' },
            replacements: [
              {
                deletedRegion: { startLine: 2, startColumn: 15, endLine: 2, endColumn: 21 },
                insertedContent: { text: 'Int!' },
              },
            ],
          },
        ],
      },
    ]);
  });

  test.each([
    ['a b/ü%.gg', 'a%20b/%C3%BC%25.gg'],
    ['/tmp/a.gg', 'file:///tmp/a.gg'],
    ['https://example.org/a.gg', 'https://example.org/a.gg'],
    ['<stdin>', '%3Cstdin%3E'],
    ['\ud800.gg', '%EF%BF%BD.gg'],
  ])('names the file %j by a URI', (file, uri) => {
    const diagnostic = diagnose('GG4001', { path: 'x' }, { file, start: 0, end: 0 });
    const { runs } = JSON.parse(reportIn('sarif', { diagnostics: [diagnostic], sources: [] }));
    expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });

  test('omits fixes in files whose text is unknown', () => {
    const { runs } = JSON.parse(reportIn('sarif', { diagnostics: [clash], sources: [] }));
    expect(runs[0].results[0]).not.toHaveProperty('fixes');
  });
});
