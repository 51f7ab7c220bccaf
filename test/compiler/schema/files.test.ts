import { describe, expect, it } from 'vitest';
import { check, describeSchema, project } from './check.js';

const ends = '(done { id: ID! }) (root)-[:PROCESS]->(done)';

describe('the scalar File', () => {
  it('is allowed as an argument of a FOLD edge and in an input that is one', () => {
    check(
      `${ends} (new: Input { picture: File! }) (new)-[:FOLD]->(done)
      (root)-[:FOLD { operation: 'scan', file: File }]->(done)`,
      { has: ['mutation done(input: New!): Done', 'mutation scan(file: File): Done'] },
    );
  });

  it.each([
    ['a field of a node', '(a { picture: File }) (root)-[:PROCESS]->(a)', '«picture: File»'],
    ['an argument of a query', "(root)-[:PROCESS { operation: 'q', file: File! }]->(done)", '«file: File!»'],
    ['a result', '(root)-[:FOLD { returns: File! }]->(done)', '«returns: File!»'],
    ['a filter of a subscription', '(done)-[:FORK { file: File }]->(seen { id: ID! })', '«file: File»'],
    ['an argument of a field', '(shop { find(by: File!): String }) (root)-[:PROCESS]->(shop)', '«by: File!»'],
    [
      'the arguments of a query from an input',
      "(by: Input { file: File! }) (by)-[:PROCESS { operation: 'q' }]->(done)",
      "«(by)-[:PROCESS { operation: 'q' }]->(done)»",
    ],
    [
      'an input in an input',
      '(new: Input { inner: Inner }) (inner: Input { file: File }) (new)-[:FOLD]->(done)',
      '«inner: Inner»',
    ],
    [
      'the path of a route',
      "(root)-[:FOLD { operation: 'm', route: 'POST /x/{file}', file: File! }]->(done)",
      "«(root)-[:FOLD { operation: 'm', route: 'POST /x/{file}', file: File! }]->(done)»",
    ],
    [
      'a method without a body',
      "(root)-[:FOLD { operation: 'm', route: 'DELETE /x', file: File! }]->(done)",
      "«(root)-[:FOLD { operation: 'm', route: 'DELETE /x', file: File! }]->(done)»",
    ],
  ])('is an error as %s', (_, text, place) => {
    const { diagnostics, sources } = project(`${ends} ${text}`);
    const found = diagnostics.filter(({ code }) => code === 'GG3095');
    expect(found.map(({ span }) => `«${sources[0]?.text.slice(span.start, span.end)}»`)).toEqual([place]);
  });

  it.each([
    ['an argument', "(root)-[:FOLD { operation: 'm', files: [File!]! }]->(done)", '«files: [File!]!»'],
    ['a field of an input', '(new: Input { files: [File!] }) (new)-[:FOLD]->(done)', '«files: [File!]»'],
    [
      'a list of inputs with files',
      "(new: Input { file: File! }) (root)-[:FOLD { operation: 'm', all: [New!] }]->(done)",
      '«all: [New!]»',
    ],
  ])('is an error in a list as %s', (_, text, place) => {
    check(`${ends} ${text}`, { findings: [`GG3096 ${place}`] });
  });

  it('must be required beside other files of the same mutation', () => {
    const edge = "(root)-[:FOLD { operation: 'm', front: File!, back: File }]->(done)";
    check(`${ends} ${edge}`, { findings: [`GG3097 «${edge}»`] });
  });

  it('has no default', () => {
    const { diagnostics } = project(`${ends} (root)-[:FOLD { operation: 'm', file: File = 'x' }]->(done)`);
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG2013']);
  });

  it('is the type of a node of that name', () => {
    const { schema, diagnostics } = project('(root)-[:PROCESS { returns: [File!]! }]->(file { id: ID! })');
    expect(diagnostics).toEqual([]);
    expect(describeSchema(schema)).toContain('query file: [File!]!');
  });
});
