import { describe, expect, it } from 'vitest';
import { curlLine } from '../../../src/compiler/api/curl.js';
import { check, project } from './check.js';

/** A PROCESS edge with the lines as its properties. */
function edge(...lines: readonly string[]): string {
  return `(root)-[:PROCESS {\n${lines.join('\n')}\n}]->(book { id: ID! })`;
}

describe('@header', () => {
  it.each(['String', 'ID!', 'Int', 'Boolean', 'Kind', 'UUID', 'Own'])('reads a %s from a header', (type) => {
    const kinds = '(kind: Enum { values: [A] })\n(own: Scalar)\n';
    const { schema, diagnostics } = project(kinds + edge('/// @header If-Match', `version: ${type},`));
    expect(diagnostics).toEqual([]);
    expect(schema.queries[0]?.arguments[0]).toMatchObject({ name: 'version', header: 'If-Match' });
  });

  it.each([
    ['[String!]', 'X-Own'],
    ['JSON', 'X-Own'],
    ['Input', 'X-Own'],
    ['String', 'Authorization'],
    ['String', 'content-type'],
    ['String', 'Sec-Fetch-Site'],
    ['String', 'IDEMPOTENCY-KEY'],
  ])('rejects a %s in %s', (type, header) => {
    const { schema, diagnostics } = project(
      `(input: Input { a: Int })\n${edge(`/// @header ${header}`, `version: ${type},`)}`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG2060']);
    expect(schema.queries[0]?.arguments[0]).not.toHaveProperty('header');
  });

  it.each(['', 'two words', 'X:Own'])('rejects “%s” as the name of a header', (name) => {
    const { diagnostics } = project(edge(`/// @header ${name}`, 'version: String,'));
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG2036']);
  });

  it('has no meaning on fields of interfaces, members of inputs and filters of events', () => {
    const { diagnostics } = project(`
      (change: Input {
        /// @header X-Own
        text: String
      })
      (saved { id: ID! })
      (named: Interface {
        /// @header X-Own
        name: String
      })
      (change)-[:FOLD]->(saved)
      (saved)-[:FORK {
        /// @header X-Own
        id: ID
      }]->(heard { id: ID! })
      (root)-[:PROCESS]->(heard)`);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '@header has no meaning on an argument.',
      '@header has no meaning on a field.',
      '@header has no meaning on a filter of events.',
      'Nothing implements the interface “named”.',
    ]);
  });

  it('sends a field of an object as a header, and leaves its input and its arguments alone', () => {
    const { schema, diagnostics } = project(`
      (book { id: ID!,
        /// @header Location
        url: String
      })-[:PROCESS]->(found { id: ID! })`);
    expect(diagnostics).toEqual([]);
    expect(schema.objects[0]?.fields[1]?.sentAs).toBe('Location');
    expect(schema.queries[0]?.arguments.some((argument) => argument.header !== undefined)).toBe(false);
  });

  it.each(['ETag', 'vary', 'Content-Type', 'RateLimit-Policy'])('rejects a field in %s', (header) => {
    const { diagnostics } = project(`${edge()}\n(a {\n/// @header ${header}\nb: String })`);
    expect(diagnostics.map(({ code }) => code)).toContain('GG2060');
  });

  it('rejects two fields with one header', () => {
    const fields = '/// @header X-Own\nb: String,\n/// @header x-own\nc: String,\n/// @header X-Other\nd: String';
    check(`(root)-[:PROCESS]->(a {\n${fields} })`, { findings: ['GG2061 «c: String» + «b: String»'] });
  });

  it('rejects two arguments with one header, whatever its case', () => {
    check(edge('/// @header X-Own', 'a: String,', '/// @header x-own', 'b: String,', 'c: ID'), {
      findings: ['GG2061 «b: String» + «a: String»'],
    });
  });

  it('rejects an argument that only one of its edges reads from a header', () => {
    const other = '(other)-[:PROCESS { a: String }]->(book)';
    check(`${edge('/// @header X-Own', 'a: String,')}\n${other}`, {
      findings: ['GG2061 «a: String» + «a: String»'],
    });
    check(`${other}\n${edge('/// @header X-Own', 'a: String,')}`, {
      findings: ['GG2061 «a: String» + «a: String»'],
    });
  });

  it('rejects an argument in the path and in a header', () => {
    const { diagnostics } = project(edge('/// @header X-Own', 'a: String,', "route: 'GET /books/{a}'"));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'GG3038 “GET /books/{a}” cannot be a route: “a” is read from the header X-Own.',
    ]);
  });

  it('is a header of the curl command', () => {
    const { schema } = project(edge('/// @header X-Own', '/// @example 5', 'a: Int,'));
    const [query] = schema.queries;
    if (query === undefined) throw new Error('there is no query');
    expect(curlLine(schema, query, { origin: 'http://localhost' })).toBe(
      "curl 'http://localhost/api/book' -H 'X-Own: 5'",
    );
  });
});
