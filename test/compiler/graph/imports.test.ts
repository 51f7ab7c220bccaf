import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/base/diagnostics/diagnostic.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { check, findingOf } from '../schema/check.js';

const b = '(b: X)-[:PROCESS]->(b2)';

describe('an import', () => {
  it.each<[string, Record<string, string>]>([
    ['names a file', { 'a.gg': "import './b.gg'\n(a)-[:PROCESS]->(b)", 'b.gg': b }],
    ['names a file of another folder', { 'x/a.gg': "import '../y/b.gg'\n(a)", 'y/b.gg': b }],
    ['names a file that goes by a longer name', { './a.gg': "import './b.gg'\n(a)", './x/../b.gg': b }],
    ['takes nodes by name, declared or mentioned', { 'a.gg': "import { b, b2 } from './b.gg'\n(a)", 'b.gg': b }],
    ['imports exported nodes', { 'a.gg': "import { b } from './b.gg'\n(a)", 'b.gg': `${b}\nexport { b }` }],
    ['takes the names of calls', { 'a.gg': "import { f } from './b.gg'\n(a)", 'b.gg': 'f(x)' }],
    [
      'imports nodes that the other file imported, by name or as a whole',
      {
        'a.gg': "import { c, d } from './b.gg'\n(a)",
        'b.gg': "import { c } from './c.gg'\nimport './d.gg'\nexport { c }\nexport { d }",
        'c.gg': '(c)',
        'd.gg': '(d)',
      },
    ],
    ['of one file twice is fine', { 'a.gg': "import './b.gg'\nimport { b } from './b.gg'\n(a)", 'b.gg': b }],
    [
      'of one file by two paths is not a cycle',
      { 'a.gg': "import './b.gg'\nimport './c.gg'\n(a)", 'b.gg': "import './c.gg'\n(b)", 'c.gg': '(c)' },
    ],
  ])('%s', (_, files) => {
    check(files, {});
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a missing file', { 'a.gg': "import './c.gg'\n(a)" }, ["GG2001 «'./c.gg'»"]],
    ['a name that is not there', { 'a.gg': "import { b, bb } from './b.gg'\n(a)", 'b.gg': b }, ['GG2003 «bb»']],
    [
      'a name that is not exported',
      { 'a.gg': "import { b, b2 } from './b.gg'\n(a)", 'b.gg': `${b}\nexport { b }` },
      ['GG2004 «b2»'],
    ],
    ['an export of a missing node', { 'a.gg': 'export { a, aa }\n(a)' }, ['GG2005 «aa»']],
    ['a file that imports itself', { 'a.gg': "import './a.gg'\n(a)" }, ["GG2002 «import './a.gg'»"]],
    [
      'a circle, once',
      {
        'a.gg': "import './b.gg'\n(a)",
        'b.gg': "import { c } from './c.gg'\n(b)",
        'c.gg': "import './a.gg'\n(c)",
      },
      ["GG2002 «import './a.gg'»"],
    ],
    [
      'a name in a circle of whole imports',
      { 'a.gg': "import './b.gg'\nexport { zzz }\n(a)", 'b.gg': "import './a.gg'\n(b)" },
      ['GG2005 «zzz»', "GG2002 «import './a.gg'»"],
    ],
    [
      'a file that is not there, named whole by an imported one',
      { 'a.gg': "import { q } from './b.gg'\n(a)", 'b.gg': "import './nowhere.gg'\n(b)" },
      ['GG2003 «q»', "GG2001 «'./nowhere.gg'»"],
    ],
  ])('reports %s', (_, files, findings) => {
    check(files, { findings });
  });

  it('names the files of a cycle', () => {
    const files = { 'a.gg': "import './b.gg'\n(a)", 'b.gg': "import './c.gg'", 'c.gg': "import './b.gg'" };
    expect(findingOf(files, 'GG2002').message).toBe('Import cycle: b.gg → c.gg → b.gg.');
    const branches = { 'a.gg': "import './b.gg'\nimport './c.gg'", 'b.gg': '(b)', 'c.gg': "import './a.gg'" };
    expect(findingOf(branches, 'GG2002').message).toBe('Import cycle: a.gg → c.gg → a.gg.');
  });

  it('suggests the intended name', () => {
    const files = { 'a.gg': "import { usr } from './b.gg'\n(a)", 'b.gg': '(user)' };
    expect(findingOf(files, 'GG2003').hint).toBe('Did you mean user?');
    expect(findingOf('(user)\nexport { usr }', 'GG2005').hint).toBe('Did you mean user?');
  });

  it('reports the reason if a file cannot be read, instead of a missing file', () => {
    const problem = diagnose('GG4002', { path: 'b.gg', reason: 'no permission' }, { file: 'b.gg', start: 0, end: 0 });
    const source = { name: 'a.gg', source: "import './b.gg'\n(a)" };
    const { diagnostics } = analyze(source, { readImport: () => problem });
    const [finding] = diagnostics.filter(({ severity }) => severity === 'error');
    expect(finding).toEqual({ ...problem, span: { file: 'a.gg', start: 7, end: 15 } });
  });

  it('uses the first of two files with the same name', () => {
    check({ 'a.gg': "import { b } from './b.gg'\n(a)", 'b.gg': '(b)', './b.gg': '(c)' }, {});
  });
});
