import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { curlLine } from '../../../src/compiler/api/curl.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import type { GqlOperation } from '../../../src/compiler/schema/gql-schema.js';
import { createTools } from '../../../src/runtime/mcp/toolset/create-tools.js';

const source = readFileSync(new URL('../../../golden/language-uploads/input.gg', import.meta.url), 'utf8');
const { schema } = analyze(source);
const mutation = (name: string) => schema.mutations.find((one) => one.name === name) as GqlOperation;

describe('a mutation that takes files', () => {
  it('is a form in its curl command, with a file for each part that is one', () => {
    const lines = ['addProfile', 'checkPassport'].map((name) =>
      curlLine(schema, mutation(name), { origin: 'http://localhost' }),
    );
    expect(lines).toEqual([
      `curl 'http://localhost/api/addProfile' --form-string 'input={"name":"Ada Lovelace","tags":["news"]}' -F 'input.picture=@file.bin'`,
      `curl 'http://localhost/api/checkPassport' --form-string 'id=1' --form-string 'born=2024-01-31' --form-string 'labels=news' -F 'front=@file.bin' -F 'back=@file.bin'`,
    ]);
  });

  it('leaves a file out of the command that the example does not have', () => {
    expect(curlLine(schema, mutation('setAvatar'), { origin: '' })).not.toContain('file.bin');
    const shown = curlLine(schema, mutation('attach'), { origin: '' }, ({ name }) => name !== 'note');
    expect(shown).toBe("curl -X PUT '/profiles/1/note' -F 'scan=@file.bin'");
  });

  it('gives resolvers a GgFile, and takes a Blob in the types of a client', () => {
    const text = schemaToTypeScript(schema);
    expect(text).toContain("export type FileType = import('gg-svc').GgFile;");
    expect(text).toContain('export type FileType = Blob;');
    expect(text).toMatch(/readonly form: \{[^}]*readonly 'input\.picture': FileType;/);
  });

  it.each(['chains', 'operations'] as const)('is no tool of agents with %s', (mode) => {
    const steps = createTools(schema, mode).flatMap((tool) => tool.steps);
    expect(steps.map(({ name }) => name)).toEqual(['profile']);
  });
});
