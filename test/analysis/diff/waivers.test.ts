import { describe, expect, it } from 'vitest';
import { createWaiverBook, isDay, readWaivers } from '../../../src/analysis/diff/waivers.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { changesBetween } from './schemas.js';

const waiver = {
  kind: 'field-removed',
  coordinate: 'User.name',
  reason: 'Nobody reads it.',
  expires: '2026-12-31',
};

function read(value: unknown) {
  return readWaivers(createSourceFile('gg-diff.waivers.json', JSON.stringify(value, undefined, 2)));
}

function fileOf(...waivers: readonly unknown[]) {
  return { version: 1, waivers };
}

/** The reasons why a file of waivers cannot be used. */
function reasons(value: unknown): readonly string[] {
  const { value: waivers, diagnostics } = read(value);
  expect(waivers).toEqual([]);
  return diagnostics.map(({ code, message }) => {
    expect(code).toBe('GG5026');
    return message.replace('The waivers in gg-diff.waivers.json cannot be used: ', '').replace(/\.$/, '');
  });
}

describe('a file of waivers', () => {
  it('is read as waivers with their places', () => {
    const file = createSourceFile('w.json', JSON.stringify(fileOf(waiver, { ...waiver, coordinate: ['A.b', 'C.d'] })));
    const { value, diagnostics } = readWaivers(file);
    expect(diagnostics).toEqual([]);
    expect(value.map(({ coordinates }) => coordinates)).toEqual([['User.name'], ['A.b', 'C.d']]);
    expect(value.map(({ span }) => JSON.parse(file.text.slice(span.start, span.end)).coordinate)).toEqual([
      'User.name',
      ['A.b', 'C.d'],
    ]);
  });

  it('may name its JSON schema, and a topology', () => {
    const { value, diagnostics } = read({ $schema: 'x', ...fileOf({ ...waiver, topology: 'a.gg' }) });
    expect(diagnostics).toEqual([]);
    expect(value[0]?.topology).toBe('a.gg');
  });

  it.each<[string, unknown, string[]]>([
    ['a list', [], ['it must be an object with a list of waivers']],
    ['no version', { waivers: [] }, ['“version” must be 1']],
    ['another version', { version: 2, waivers: [] }, ['“version” must be 1']],
    ['no list', { version: 1 }, ['“waivers” must be a list']],
    ['another member', { ...fileOf(), waiver: [] }, ['unknown member “waiver”; did you mean waivers?']],
    ['an unknown member', { ...fileOf(), zzzzzzzz: 1 }, ['unknown member “zzzzzzzz”']],
    ['a waiver that is a text', fileOf('x'), ['waiver 1 must be an object']],
    [
      'a misspelt kind',
      fileOf({ ...waiver, kind: 'field-remove' }),
      ['unknown kind of change field-remove (did you mean field-removed?)'],
    ],
    ['an unknown kind', fileOf({ ...waiver, kind: 'x' }), ['unknown kind of change x']],
    ['no kind', fileOf({ ...waiver, kind: 5 }), ['“kind” must be a kind of change, such as "field-removed"']],
    [
      'no coordinate',
      fileOf({ ...waiver, coordinate: undefined }),
      ['“coordinate” must be a string or a list of strings, such as "User.email"'],
    ],
    [
      'no coordinates',
      fileOf({ ...waiver, coordinate: [] }),
      ['“coordinate” must be a string or a list of strings, such as "User.email"'],
    ],
    [
      'coordinates that are numbers',
      fileOf({ ...waiver, coordinate: [1] }),
      ['“coordinate” must be a string or a list of strings, such as "User.email"'],
    ],
    ['a topology that is a number', fileOf({ ...waiver, topology: 1 }), ['“topology” must be a string']],
    ['no reason', fileOf({ ...waiver, reason: ' ' }), ['“reason” must say why the change may pass']],
    ['no day', fileOf({ ...waiver, expires: undefined }), ['“expires” must be a date, such as "2030-12-31"']],
    [
      'a day that does not exist',
      fileOf({ ...waiver, expires: '2026-02-30' }),
      ['“expires” must be a date, such as "2030-12-31"'],
    ],
    [
      'a mistyped member',
      fileOf({ ...waiver, expire: '2026-12-31' }),
      ['unknown member “expire”; did you mean expires?'],
    ],
  ])('is rejected with %s', (_, value, expected) => {
    expect(reasons(value)).toEqual(expected);
  });

  it('is rejected if it is not JSON, with the place of the error', () => {
    const { diagnostics } = readWaivers(createSourceFile('w.json', '{ "version": 1, waivers: [] }'));
    expect(diagnostics.map(({ code, span }) => [code, span.start])).toEqual([['GG5026', 16]]);
    const cut = readWaivers(createSourceFile('w.json', '{ "version": 1'));
    expect(cut.diagnostics.map(({ code, span }) => [code, span.start])).toEqual([['GG5026', 14]]);
  });

  it('applies no waiver if one of them is invalid', () => {
    expect(reasons(fileOf(waiver, { ...waiver, reason: 1 }))).toHaveLength(1);
  });

  it.each([
    ['a member', JSON.stringify(fileOf({ rename: 'Query.readUser', to: 'Query.user', until: '2027-06' }))],
    ['a kind', JSON.stringify(fileOf({ ...waiver, kind: 'renamed' }))],
    ['a line', 'rename Query.readUser to Query.user until 2027-06'],
  ])('is rejected once, with the tag that keeps an old name, if %s renames', (_, text) => {
    const { value, diagnostics } = readWaivers(createSourceFile('w.json', text));
    expect(value).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG5026']);
    expect(diagnostics[0]?.hint).toContain('/// @renamedFrom readUser until 2027-06');
  });

  it('reports the other mistakes beside an entry that renames', () => {
    expect(reasons(fileOf({ ...waiver, reason: 1 }, { ...waiver, kind: 'rename' }))).toEqual([
      'a waiver cannot keep an old name',
      '“reason” must say why the change may pass',
    ]);
  });

  it('names the invalid waiver, after others that are not objects', () => {
    const file = createSourceFile('w.json', JSON.stringify(fileOf('x', { ...waiver, reason: 1 })));
    const spans = readWaivers(file).diagnostics.map(({ span }) => file.text.slice(span.start, span.end));
    expect(spans[1]).toContain('"reason":1');
  });
});

describe('a day', () => {
  it.each([
    ['2026-11-21', true],
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2000-02-29', true],
    ['2100-02-29', false],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-04-31', false],
    ['2026-04-00', false],
    ['26-04-01', false],
    ['tomorrow', false],
  ])('%s: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });
});

describe('waivers', () => {
  const changes = changesBetween(
    '(user { id: ID!, name: String })(root)-[:PROCESS]->(user)',
    '(user { id: ID!, nick: String })(root)-[:PROCESS]->(user)',
  );
  const judge = (today: string, ...entries: readonly object[]) => {
    const book = createWaiverBook(read(fileOf(...entries)).value, today);
    const judged = book.judge('service.gg', changes);
    return {
      waived: judged.filter((change) => change.waiver !== undefined).map(({ coordinate }) => coordinate),
      findings: book.findings().map(({ code, message }) => `${code} ${message}`),
    };
  };

  it('accept the changes of their kind and coordinate', () => {
    expect(judge('2026-11-21', waiver)).toEqual({ waived: ['User.name'], findings: [] });
  });

  it('are valid on their last day, but not after it', () => {
    expect(judge('2026-12-31', waiver).waived).toEqual(['User.name']);
    expect(judge('2027-01-01', waiver)).toEqual({
      waived: [],
      findings: ['GG5027 This waiver of field-removed expired after 2026-12-31.'],
    });
  });

  it('are reported if unused, coordinate by coordinate', () => {
    expect(judge('2026-11-21', { ...waiver, coordinate: ['User.name', 'User.age'] })).toEqual({
      waived: ['User.name'],
      findings: ['GG5028 No change matches this waiver: field-removed of User.age.'],
    });
  });

  it('do not accept changes of another kind or topology', () => {
    expect(judge('2026-11-21', { ...waiver, kind: 'input-field-removed' }).findings).toHaveLength(1);
    expect(judge('2026-11-21', { ...waiver, topology: 'other.gg' })).toMatchObject({
      waived: [],
      findings: [{}],
    });
    expect(judge('2026-11-21', { ...waiver, topology: 'service.gg' }).waived).toEqual(['User.name']);
  });

  it('are not needed for safe changes', () => {
    expect(judge('2026-11-21', { ...waiver, kind: 'field-added', coordinate: 'User.nick' })).toMatchObject({
      waived: [],
      findings: [expect.stringContaining('GG5028')],
    });
  });

  it('accept a change if one of several is still valid', () => {
    expect(judge('2026-11-21', { ...waiver, expires: '2020-01-01' }, waiver).waived).toEqual(['User.name']);
  });
});
