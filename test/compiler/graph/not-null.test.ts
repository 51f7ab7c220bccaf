import { describe, expect, it } from 'vitest';
import { check, project } from '../schema/check.js';

const input = (...lines: readonly string[]) =>
  `(change: Input {\n${lines.join('\n')}\n})\n(root)-[:FOLD { change: Change, returns: Boolean }]->(changed)`;

describe('@notNull', () => {
  it('belongs to a field of an input, an argument of an edge and an argument of a field', () => {
    const source = `${input('/// @notNull', 'name: String')}
      (root)-[:PROCESS { /// @notNull
        id: ID }]->(user { id: ID!, name(
        /// @notNull
        style: String): String })`;
    const { schema, diagnostics } = project(source);
    expect(diagnostics).toEqual([]);
    const field = schema.objects.flatMap(({ fields }) => fields).find(({ name }) => name === 'name');
    expect([
      schema.inputs.find(({ name }) => name === 'Change')?.fields[0]?.notNull,
      schema.queries[0]?.arguments[0]?.notNull,
      field?.arguments?.[0]?.notNull,
    ]).toEqual([true, true, true]);
  });

  it('has no meaning on a field that callers read, and on a type that is never null', () => {
    check(`${input('/// @notNull', 'name: String!')}\n(a {\n/// @notNull\nb: String })`, {
      findings: ['GG2037 «@notNull»', 'GG2037 «@notNull»'],
    });
  });

  it('takes no value', () => {
    check(input('/// @notNull always', 'name: String'), { findings: ['GG2036 «@notNull always»'] });
  });

  it('rejects null as the default', () => {
    const { diagnostics } = project(input('/// @notNull', 'name: String = null'));
    expect(diagnostics[0]?.message).toBe('The default null is not valid: it must not be null.');
  });

  it('rejects an argument that must not be null in one place only', () => {
    const source = `(root)-[:PROCESS { /// @notNull
      id: ID }]->(user { id: ID! })
      (other)-[:PROCESS { id: ID }]->(user)`;
    check(source, { findings: ['GG3034 «id: ID» + «id: ID»'] });
  });
});
