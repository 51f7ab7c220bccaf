import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { type DiffReport, hasChangesFrom, summarizeChanges } from '../../../src/analysis/diff/model/diff-report.js';
import { changeReporters } from '../../../src/analysis/diff/render/change-reporters.js';
import { createWaiverBook, readWaivers } from '../../../src/analysis/diff/waivers.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';

const before = `(user: Record { id: ID!, name: String, age: Int })
(colour: Enum { values: [RED] })
(root)-[:PROCESS { id: ID!, like: User, colour: Colour }]->(user)
(root)-[:PROCESS { like: Gone }]->(gone { x: Int })
`;
const after = `(user: Record { id: ID!, name: String!, nick: String })
(colour: Enum { values: [RED, BLUE] })
(root)-[:PROCESS { id: ID!, like: User, colour: Colour }]->(user)
`;

interface Given {
  readonly before?: string;
  readonly after?: string;
  readonly waivers?: readonly object[];
  readonly names?: readonly string[];
}

/** A report as the command makes it. */
function reportOn(given: Given = {}): DiffReport {
  const [old, now] = [given.before ?? before, given.after ?? after].map((source) =>
    compile({ name: 'service.gg', source }),
  );
  if (old === undefined || now === undefined) throw new Error('two sides');
  const file = createSourceFile('w.json', JSON.stringify({ version: 1, waivers: given.waivers ?? [] }));
  const book = createWaiverBook(readWaivers(file).value, '2026-11-21');
  return {
    before: 'HEAD',
    after: 'the working tree',
    topologies: (given.names ?? ['service.gg']).map((name) => ({
      name,
      before: { sources: old.sources, revision: 'HEAD', displayName: (path: string) => `HEAD:${path}` },
      after: { sources: now.sources, revision: undefined, displayName: (path: string) => path },
      changes: book.judge(name, diffSchemas(old.schema, now.schema)),
    })),
    failed: [],
  };
}

function render(
  format: keyof typeof changeReporters,
  report: DiffReport,
  options: { color?: boolean; verbose?: boolean } = {},
): string {
  return changeReporters[format](report, { color: false, verbose: false, toolVersion: '1.2.3', ...options });
}

const ageWaiver = {
  kind: 'field-removed',
  coordinate: 'User.age',
  reason: 'Nobody | reads <it>.',
  expires: '2026-12-31',
};

describe('the text report', () => {
  it('shows important changes with both places, reach and reason, and safe ones in one line', () => {
    expect(render('text', reportOn())).toMatchInlineSnapshot(`
      "breaking[field-removed] The field User.age was removed.
      breaking[input-field-removed] The input field UserInput.age was removed.
       --> service.gg:1:2
      > 1 | (user: Record { id: ID!, name: String!, nick: String })
          |  ^^^^ without age
        2 | (colour: Enum { values: [RED, BLUE] })
       <-- HEAD:service.gg:1:40
      > 1 | (user: Record { id: ID!, name: String, age: Int })
          |                                        ^^^^^^^^ removed
        2 | (colour: Enum { values: [RED] })
      reaches: query user
               route GET /api/user
               requests REST / user, GraphQL / user
      why: Documents that select it fail; REST responses lack it.
      why: Calls that pass it are rejected.

      breaking[operation-removed] Query.gone was removed.
      breaking[route-removed] The route GET /api/gone was removed.
       <-- HEAD:service.gg:4:1
        3 | (root)-[:PROCESS { id: ID!, like: User, colour: Colour }]->(user)
      > 4 | (root)-[:PROCESS { like: Gone }]->(gone { x: Int })
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ removed
      reaches: query gone
               route GET /api/gone
               requests REST / gone, GraphQL / gone
      why: Callers that request it get an error.
      why: REST callers get 404.

      breaking[type-removed] The object type Gone was removed.
      breaking[type-removed] The input GoneInput was removed.
       <-- HEAD:service.gg:4:36
        3 | (root)-[:PROCESS { id: ID!, like: User, colour: Colour }]->(user)
      > 4 | (root)-[:PROCESS { like: Gone }]->(gone { x: Int })
          |                                    ^^^^ removed
      reaches: query gone
               route GET /api/gone
               requests REST / gone, GraphQL / gone
      why: Documents that name it fail, and so does code generated from it.

      dangerous[input-field-added] The optional input field UserInput.nick of type String was added.
       --> service.gg:1:41
      > 1 | (user: Record { id: ID!, name: String!, nick: String })
          |                                         ^^^^^^^^^^^^ added
        2 | (colour: Enum { values: [RED, BLUE] })
       <-- HEAD:service.gg:1:2
      > 1 | (user: Record { id: ID!, name: String, age: Int })
          |  ^^^^ without nick
        2 | (colour: Enum { values: [RED] })
      reaches: query user
               route GET /api/user
               requests REST / user, GraphQL / user
      why: Callers do not pass it: if it is required, their calls are rejected; if not, the result may differ.

      dangerous[enum-value-added] The value Colour.BLUE was added.
       --> service.gg:2:2
        1 | (user: Record { id: ID!, name: String!, nick: String })
      > 2 | (colour: Enum { values: [RED, BLUE] })
          |  ^^^^^^ has BLUE
        3 | (root)-[:PROCESS { id: ID!, like: User, colour: Colour }]->(user)
       <-- HEAD:service.gg:2:2
        1 | (user: Record { id: ID!, name: String, age: Int })
      > 2 | (colour: Enum { values: [RED] })
          |  ^^^^^^ without BLUE
        3 | (root)-[:PROCESS { id: ID!, like: User, colour: Colour }]->(user)
      reaches: query user
               route GET /api/user
               requests REST / user, GraphQL / user
      why: Callers may read a value that they do not know.

      safe[scalar-unused] The built-in scalar Int is not used any more.
      safe[field-type-changed] The type of User.name changed from String to String!. — service.gg:1:26, HEAD:service.gg:1:26
      safe[field-added] The field User.nick: String was added. — service.gg:1:41, HEAD:service.gg:1:2

      6 breaking, 2 dangerous, 3 safe changes between HEAD and the working tree.
      "
    `);
  });

  it('shows safe and waived changes with frames if verbose', () => {
    const text = render('text', reportOn({ waivers: [ageWaiver] }), { verbose: true });
    expect(text).toContain('safe[field-added] The field User.nick: String was added.\n --> service.gg:1:41\n');
    expect(text).toContain(
      'waived[field-removed] The field User.age was removed. (until 2026-12-31: Nobody | reads <it>.)\n',
    );
  });

  it('shows the first thirty safe changes, and counts the others', () => {
    const fields = Array.from({ length: 40 }, (_, at) => `f${at}: Int`).join(', ');
    const report = reportOn({
      before: '(a { x: Int })(root)-[:PROCESS { like: A }]->(a)',
      after: `(a { x: Int, ${fields} })(root)-[:PROCESS { like: A }]->(a)`,
    });
    expect(render('text', report)).toContain('\nand 10 more like these; --verbose shows all\n');
    expect(render('text', report, { verbose: true })).not.toContain('more like these');
  });

  it('marks waived changes', () => {
    const report = reportOn({ waivers: [ageWaiver] });
    const text = render('text', report);
    expect(text).toMatch(
      /^waived\[field-removed\] The field User\.age was removed\. \(until .*\) — service\.gg:1:2, HEAD:service\.gg:1:40$/m,
    );
    expect(text).toMatch(/, 1 waived changes between HEAD and the working tree\.\n$/);
    expect(summarizeChanges(report)).toMatchObject({ waived: 1 });
  });

  it('is one line without changes', () => {
    expect(render('text', reportOn({ after: before }))).toBe('No changes between HEAD and the working tree.\n');
  });

  it('has headings for several topologies, and leaves out those without changes', () => {
    const text = render('text', reportOn({ names: ['a.gg', 'b.gg'] }));
    expect(text).toMatch(/^a\.gg\n\nbreaking\[/);
    expect(text).toContain('\nb.gg\n\nbreaking[');
  });

  it('lists the topologies that could not be compared', () => {
    const report = { ...reportOn({ after: before }), failed: ['other.gg'] };
    expect(render('text', report)).toBe('No changes between HEAD and the working tree; not compared: other.gg.\n');
  });

  it('is coloured on request, and strips terminal codes from texts of a topology', () => {
    expect(render('text', reportOn(), { color: true })).toContain('\u001b[31mbreaking[operation-removed]');
    const report = reportOn({ names: ['\u001b[31m.gg', 'b.gg'] });
    expect(render('text', report)).not.toContain('\u001b');
  });

  it('shows a place without a frame if the text is unknown', () => {
    const report = reportOn();
    const blind = {
      ...report,
      topologies: report.topologies.map((topology) => ({
        ...topology,
        before: { ...topology.before, sources: [] },
      })),
    };
    expect(render('text', blind)).toContain(' <-- HEAD:service.gg\n');
  });

  it('states that a change does not reach any operation', () => {
    const text = render(
      'text',
      reportOn({ before: before.replace('ID!, like', "ID!, auth: 'required', like"), after: before }),
    );
    expect(text).toContain('reaches: no operation\n');
  });

  it('states that a reach is incomplete', () => {
    const report = reportOn();
    const cut = {
      ...report,
      topologies: report.topologies.map((topology) => ({
        ...topology,
        changes: topology.changes.map((change) => ({
          ...change,
          reach: { ...change.reach, isComplete: false },
        })),
      })),
    };
    expect(render('text', cut)).toContain('reaches: query user\n         route GET /api/user\n');
    expect(render('text', cut)).toContain('\n         and others that are not listed\n');
    expect(hasChangesFrom(cut, 'breaking', true)).toBe(true);
  });

  it('shortens long lists of reached operations', () => {
    const many = (field: string) =>
      `(shared { ${field} })${Array.from({ length: 12 }, (_, at) => `(root)-[:PROCESS]->(n${at} { s: Shared })`).join('')}`;
    const text = render('text', reportOn({ before: many('a: Int'), after: many('a: Float') }));
    expect(text).toContain('reaches: queries n0, n1, n2, n3, n4, n5, n6, n7 and 4 more\n         routes GET');
  });
});

describe('the JSON report', () => {
  it('contains every change with both places and its whole reach', () => {
    const { topologies, ...envelope } = JSON.parse(render('json', reportOn({ waivers: [ageWaiver] })));
    expect(envelope).toEqual({
      version: 1,
      before: 'HEAD',
      after: 'the working tree',
      failed: [],
      summary: { breaking: 5, dangerous: 2, safe: 3, waived: 1 },
    });
    const removed = topologies[0].changes.find((change: { coordinate: string }) => change.coordinate === 'User.age');
    expect(removed).toEqual({
      kind: 'field-removed',
      level: 'breaking',
      coordinate: 'User.age',
      message: 'The field User.age was removed.',
      why: 'Documents that select it fail; REST responses lack it.',
      before: {
        file: 'service.gg',
        revision: 'HEAD',
        line: 1,
        column: 40,
        endLine: 1,
        endColumn: 48,
        exact: true,
        note: 'removed',
      },
      after: {
        file: 'service.gg',
        line: 1,
        column: 2,
        endLine: 1,
        endColumn: 6,
        exact: false,
        note: 'without age',
      },
      reach: {
        queries: ['user'],
        mutations: [],
        subscriptions: [],
        routes: ['GET /api/user'],
        requests: ['REST / user', 'GraphQL / user'],
        isComplete: true,
      },
      waiver: { reason: 'Nobody | reads <it>.', expires: '2026-12-31' },
    });
  });

  it('has null for a missing place, and omits lines if the text is unknown', () => {
    const report = reportOn();
    const blind = {
      ...report,
      topologies: report.topologies.map((topology) => ({
        ...topology,
        before: { ...topology.before, sources: [] },
      })),
    };
    const { changes } = JSON.parse(render('json', blind)).topologies[0];
    const gone = changes.find((change: { coordinate: string }) => change.coordinate === 'Gone');
    expect(gone.after).toBeNull();
    expect(gone.before).toEqual({ file: 'service.gg', revision: 'HEAD', exact: true, note: 'removed' });
  });
});

describe('the SARIF report', () => {
  const log = (given?: Given) => JSON.parse(render('sarif', reportOn(given))).runs[0];

  it('has a rule for each kind that occurs, and a result for each change', () => {
    const { tool, results } = log();
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...new Set(results.map(({ ruleId }: { ruleId: string }) => ruleId))].sort());
    for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId);
    expect(tool.driver.version).toBe('1.2.3');
    expect(tool.driver.rules.find(({ id }: { id: string }) => id === 'enum-value-added')).toEqual({
      id: 'enum-value-added',
      name: 'EnumValueAdded',
      shortDescription: { text: 'enum value added' },
      help: { text: 'Callers may read a value that they do not know.' },
      defaultConfiguration: { level: 'warning' },
    });
  });

  it('places a result in the new file, and the old place beside it', () => {
    const found = log().results.find(
      ({ locations }: { locations: { logicalLocations: { fullyQualifiedName: string }[] }[] }) =>
        locations[0]?.logicalLocations[0]?.fullyQualifiedName === 'User.age',
    );
    expect(found.level).toBe('error');
    expect(found.message.text).toBe(
      'The field User.age was removed. It reaches query user; route GET /api/user; requests REST / user, GraphQL / user.',
    );
    expect(found.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'service.gg' },
      region: { startLine: 1, startColumn: 2, endLine: 1, endColumn: 6 },
    });
    expect(found.relatedLocations[0].message.text).toBe('HEAD:service.gg:1:40: removed');
    expect(found.partialFingerprints).toEqual({ 'change/v1': 'service.gg field-removed User.age' });
  });

  it('places removed parts at the file', () => {
    const found = log().results.find(({ ruleId }: { ruleId: string }) => ruleId === 'type-removed');
    expect(found.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'service.gg' } });
  });

  it('suppresses waived changes', () => {
    const { results } = log({ waivers: [ageWaiver] });
    const suppressed = results.filter((result: object) => 'suppressions' in result);
    expect(suppressed).toHaveLength(1);
    expect(suppressed[0].suppressions).toEqual([
      { kind: 'external', status: 'accepted', justification: 'Nobody | reads <it>. (until 2026-12-31)' },
    ]);
  });

  it('has a change without places at the name of the topology', () => {
    const { results } = log({ before: '(a { x: Float })', after: '(a { x: String })' });
    expect(
      results.find(({ ruleId }: { ruleId: string }) => ruleId === 'scalar-unused').relatedLocations,
    ).toBeUndefined();
  });
});

describe('the GitHub report', () => {
  it('is a command for each block of changes at its place in the new file', () => {
    expect(render('github', reportOn())).toMatchInlineSnapshot(`
      "::error file=service.gg,line=1,endLine=1,col=2,endColumn=6,title=breaking%3A field-removed::The field User.age was removed.%0AThe input field UserInput.age was removed.%0AHEAD:service.gg:1:40: removed%0AReaches query user; route GET /api/user; requests REST / user, GraphQL / user.
      ::error file=service.gg,title=breaking%3A operation-removed::Query.gone was removed.%0AThe route GET /api/gone was removed.%0AHEAD:service.gg:4:1: removed%0AReaches query gone; route GET /api/gone; requests REST / gone, GraphQL / gone.
      ::error file=service.gg,title=breaking%3A type-removed::The object type Gone was removed.%0AThe input GoneInput was removed.%0AHEAD:service.gg:4:36: removed%0AReaches query gone; route GET /api/gone; requests REST / gone, GraphQL / gone.
      ::warning file=service.gg,line=1,endLine=1,col=41,endColumn=53,title=dangerous%3A input-field-added::The optional input field UserInput.nick of type String was added.%0AHEAD:service.gg:1:2: without nick%0AReaches query user; route GET /api/user; requests REST / user, GraphQL / user.
      ::warning file=service.gg,line=2,endLine=2,col=2,endColumn=8,title=dangerous%3A enum-value-added::The value Colour.BLUE was added.%0AHEAD:service.gg:2:2: without BLUE%0AReaches query user; route GET /api/user; requests REST / user, GraphQL / user.
      ::notice file=service.gg,title=safe%3A scalar-unused::The built-in scalar Int is not used any more.
      ::notice file=service.gg,line=1,endLine=1,col=26,endColumn=39,title=safe%3A field-type-changed::The type of User.name changed from String to String!.%0AHEAD:service.gg:1:26: was String%0AReaches query user; route GET /api/user; requests REST / user, GraphQL / user.
      ::notice file=service.gg,line=1,endLine=1,col=41,endColumn=53,title=safe%3A field-added::The field User.nick: String was added.%0AHEAD:service.gg:1:2: without nick%0AReaches query user; route GET /api/user; requests REST / user, GraphQL / user.
      6 breaking, 2 dangerous, 3 safe changes between HEAD and the working tree
      "
    `);
  });

  it('writes waived changes as notices', () => {
    const line = render('github', reportOn({ waivers: [ageWaiver] }))
      .split('\n')
      .find((text) => text.includes('User.age '));
    expect(line).toMatch(/^::notice file=service\.gg,.*%0AWaived until 2026-12-31: Nobody \| reads <it>\.$/);
  });

  it('gives a range over several lines without columns, and a file without text without lines', () => {
    const split = '(root)-[:PROCESS {\n  id: ID!\n}]->(user { n: Int })';
    const report = reportOn({ before: split, after: split.replace('PROCESS', 'FOLD') });
    expect(render('github', report)).toMatch(/::error file=service\.gg,line=1,endLine=3,title=/);
    const blind = {
      ...report,
      topologies: report.topologies.map((topology) => ({
        ...topology,
        after: { ...topology.after, sources: [] },
      })),
    };
    expect(render('github', blind)).toMatch(/::error file=service\.gg,title=/);
  });
});

describe('the Markdown report', () => {
  it('lists breaking changes first, folds safe ones, and escapes texts of topologies', () => {
    expect(render('markdown', reportOn({ waivers: [ageWaiver] }))).toMatchInlineSnapshot(`
      "## API changes

      5 breaking, 2 dangerous, 3 safe, 1 waived changes between HEAD and the working tree.

      **Breaking (5)**

      - \`input-field-removed\` The input field UserInput.age was removed.<br>
        at \`service.gg:1:2\`, \`HEAD:service.gg:1:40\`<br>
        reaches query user; route GET /api/user; requests REST / user, GraphQL / user
      - \`operation-removed\` Query.gone was removed.<br>\`route-removed\` The route GET /api/gone was removed.<br>
        at \`HEAD:service.gg:4:1\`<br>
        reaches query gone; route GET /api/gone; requests REST / gone, GraphQL / gone
      - \`type-removed\` The object type Gone was removed.<br>\`type-removed\` The input GoneInput was removed.<br>
        at \`HEAD:service.gg:4:36\`<br>
        reaches query gone; route GET /api/gone; requests REST / gone, GraphQL / gone

      **Dangerous (2)**

      - \`input-field-added\` The optional input field UserInput.nick of type String was added.<br>
        at \`service.gg:1:41\`, \`HEAD:service.gg:1:2\`<br>
        reaches query user; route GET /api/user; requests REST / user, GraphQL / user
      - \`enum-value-added\` The value Colour.BLUE was added.<br>
        at \`service.gg:2:2\`, \`HEAD:service.gg:2:2\`<br>
        reaches query user; route GET /api/user; requests REST / user, GraphQL / user

      <details><summary>Safe (3)</summary>

      - \`scalar-unused\` The built-in scalar Int is not used any more.
      - \`field-type-changed\` The type of User.name changed from String to String!.<br>
        at \`service.gg:1:26\`, \`HEAD:service.gg:1:26\`<br>
        reaches query user; route GET /api/user; requests REST / user, GraphQL / user
      - \`field-added\` The field User.nick: String was added.<br>
        at \`service.gg:1:41\`, \`HEAD:service.gg:1:2\`<br>
        reaches query user; route GET /api/user; requests REST / user, GraphQL / user

      </details>

      <details><summary>Waived (1)</summary>

      - \`field-removed\` The field User.age was removed.<br>
        at \`service.gg:1:2\`, \`HEAD:service.gg:1:40\`<br>
        reaches query user; route GET /api/user; requests REST / user, GraphQL / user<br>
        until 2026-12-31: Nobody &#124; reads &#60;it&#62;.

      </details>
      "
    `);
  });

  it('has a heading for each topology when there are several', () => {
    const text = render('markdown', reportOn({ names: ['a`b.gg', 'c.gg'] }));
    expect(text).toContain('### `` a`b.gg ``\n');
    expect(text).toContain('### `c.gg`\n');
  });

  it('is two lines without changes', () => {
    expect(render('markdown', reportOn({ after: before }))).toBe(
      '## API changes\n\nNo changes between HEAD and the working tree.\n',
    );
  });
});

describe('the level that fails a diff', () => {
  it('counts changes from a level up, without waived ones', () => {
    const report = reportOn({
      before: '(colour: Enum { values: [RED] })(root)-[:PROCESS]->(a { c: Colour })',
      after: '(colour: Enum { values: [RED, BLUE] })(root)-[:PROCESS]->(a { c: Colour })',
    });
    expect(hasChangesFrom(report, 'breaking')).toBe(false);
    expect(hasChangesFrom(report, 'dangerous')).toBe(true);
    expect(hasChangesFrom(report, 'safe')).toBe(true);
    expect(hasChangesFrom(report, 'dangerous', true)).toBe(true);
  });

  it('ignores changes that do not reach an operation, on request', () => {
    const report = reportOn({
      before: before.replace('ID!, like', "ID!, auth: 'required', like"),
      after: before,
    });
    expect(hasChangesFrom(report, 'breaking')).toBe(true);
    expect(hasChangesFrom(report, 'breaking', true)).toBe(false);
  });
});
