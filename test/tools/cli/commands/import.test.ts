import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directoryWith, runCli } from '../stand-in-io.js';

const schema = `type Query {
  book(id: ID!): Book @cost(value: 3)
}

type Book {
  id: ID!
  title: String!
}
`;
const topology = `(book { id: ID!, title: String! })
(root { internal: true })
(root)-[:PROCESS { id: ID! }]->(book)
`;

describe('gg-svc import', () => {
  test('reads @value of its own SDL only, and reports that of another tool', async () => {
    const states = `enum State @node(id: "state", labels: ["Enum"]) { IN_PROGRESS @value(spelling: "in-progress") }
      type Task @node(id: "task", labels: []) { state: State }
      type Query { task: Task @topology(edge: "PROCESS", from: "desk", to: "task") }`;
    const own = `directive @node(id: String!, labels: [String!]!) on OBJECT\n${states}`;
    const directory = directoryWith({ 'own.graphql': own, 'other.graphql': states });
    const importOf = async (file: string) => runCli(['import', file, '--no-proof'], { directory });
    expect((await importOf('own.graphql')).stdout).toContain('/// @value in-progress');
    const { stdout, stderr } = await importOf('other.graphql');
    expect(stdout).not.toContain('@value');
    expect(stderr).toContain('@value');
  });

  test('writes the topology to standard output, and the report to standard error', async () => {
    const directory = directoryWith({ 'api.graphql': schema });
    const { code, stdout, stderr } = await runCli(['import', 'api.graphql'], { directory });
    expect({ code, stdout }).toEqual({ code: 0, stdout: topology });
    expect(stderr).toBe(
      'api.graphql (GraphQL): 1 operation, 1 type imported; 1 part does not fit.\n\n' +
        'Topologies cannot declare directives.\n  2:23  @cost\n',
    );
  });

  test('reads standard input', async () => {
    const { code, stdout } = await runCli(['import', '-'], { readStdin: async () => Buffer.from(schema) });
    expect({ code, stdout }).toEqual({ code: 0, stdout: topology });
  });

  test('writes a file, and replaces it only with --force', async () => {
    const directory = directoryWith({ 'api.graphql': schema });
    const args = ['import', 'api.graphql', '-o', 'out/api.gg'];
    const file = join(directory, 'out/api.gg');
    expect(await runCli(args, { directory })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe(topology);
    const again = await runCli(args, { directory });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('GG4024');
    expect(await runCli([...args, '--force'], { directory })).toMatchObject({ code: 0 });
  });

  test('reports as JSON, with every place', async () => {
    const { stderr } = await runCli(['import', '-', '--format', 'json'], {
      readStdin: async () => Buffer.from(schema),
    });
    expect(JSON.parse(stderr)).toEqual({
      source: '<stdin>',
      format: 'GraphQL',
      operations: 1,
      types: 1,
      losses: [{ place: '2:23', subject: '@cost', reason: 'Topologies cannot declare directives.' }],
    });
  });

  test('writes nothing for a description that it cannot read', async () => {
    const directory = directoryWith({ 'api.json': '{ "openapi": ' });
    const { code, stderr } = await runCli(['import', 'api.json', '-o', 'api.gg'], { directory });
    expect(code).toBe(1);
    expect(stderr).toContain('GG4020');
    expect(stderr).toContain('api.json:1:');
    expect(existsSync(join(directory, 'api.gg'))).toBe(false);
  });

  test.each([[['import']], [['import', 'a', 'b']], [['import', 'a', '--force']], [['import', 'a', '--format', 'xml']]])(
    'rejects the command line %j',
    async (args) => {
      expect((await runCli(args)).code).toBe(2);
    },
  );

  test('escapes control characters of the description', async () => {
    const document = {
      openapi: '3.0.0',
      paths: { '/a': { get: { operationId: '\u001b[31mred', responses: { 204: {} } } } },
    };
    const { stdout, stderr } = await runCli(['import', '-'], {
      readStdin: async () => Buffer.from(JSON.stringify(document)),
    });
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stderr).toContain('operation \ufffd[31mred');
  });
});
