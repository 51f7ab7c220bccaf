import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { pythonRequest, typeScriptRequest } from '../../../src/analysis/site/request-code.js';
import { type CurlRequest, exampleCall } from '../../../src/compiler/api/curl.js';
import { compile } from '../../../src/compiler/compile.js';
import { allOperations } from '../../../src/compiler/schema/gql-schema.js';

const hostile = `it's "quoted" \\ \${x} \`y\` ${String.fromCodePoint(0x1f4e6)} </script>\n`;

/** The calls of an example, of a topology with a form, and one whose every text is hostile. */
const calls: readonly CurlRequest[] = [
  ...callsOf(readFileSync('docs/examples/parcel/main.gg', 'utf8'), 'docs/examples/parcel/main.gg'),
  ...callsOf('(scan: Input { file: File!, note: String })-[:FOLD { route: "POST /scans" }]->(kept { id: ID! })'),
  {
    method: 'PUT',
    url: `http://localhost/${encodeURIComponent(hostile)}`,
    headers: [
      { name: 'x-note', value: hostile },
      { name: 'authorization', value: 'Bearer ', variable: 'TOKEN' },
    ],
    body: JSON.stringify({ [hostile]: [hostile, null, true, false, {}, [], 1.5] }),
  },
  {
    method: 'POST',
    url: 'http://localhost/',
    headers: [],
    form: [{ name: hostile }, { name: 'b', text: hostile }],
  },
];

function callsOf(source: string, name = 'main.gg'): readonly CurlRequest[] {
  const { schema } = compile({ name, source }, { readImport: (path) => readFileSync(path, 'utf8') });
  return allOperations(schema).map((operation) => exampleCall(schema, operation, { origin: 'http://localhost:4000' }));
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the code of a request', () => {
  test('is TypeScript for every operation, form and text', () => {
    for (const call of calls) {
      const { diagnostics } = ts.transpileModule(typeScriptRequest(call), { reportDiagnostics: true });
      expect(diagnostics, typeScriptRequest(call)).toEqual([]);
    }
  });

  test.runIf(hasPython)('is Python for every operation, form and text, and sends the values of the request', () => {
    const programs = JSON.stringify(calls.map(pythonRequest));
    const check = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    execFileSync('python3', ['-c', check], { input: programs });
    const recorded = JSON.parse(
      execFileSync('python3', ['-c', recorder], {
        input: programs,
        env: { ...process.env, TOKEN: 't', KEY: 'k' },
      }).toString(),
    ) as { method: string; url: string; json?: unknown; headers?: Record<string, string> }[];
    expect(recorded.map(({ method, url, json }) => [method, url, json ?? null])).toEqual(
      calls.map(({ method, url, body, form }) => [
        method.toLowerCase(),
        url,
        body === undefined || form !== undefined ? null : JSON.parse(body),
      ]),
    );
    expect(recorded.at(-2)?.headers).toEqual({ 'x-note': hostile, authorization: 'Bearer t' });
  });
});

/** Runs programs with a package `requests` that notes what it is asked for. */
const recorder = `
import builtins, json, sys, types
noted = []
class Response:
    def raise_for_status(self): pass
    def json(self): return None
    def iter_lines(self, **options): return []
def caller(method):
    def call(url, **given):
        given.pop("files", None)
        noted.append({"method": method, "url": url, **given})
        return Response()
    return call
requests = types.ModuleType("requests")
for method in ["get", "post", "put", "patch", "delete", "head"]: setattr(requests, method, caller(method))
sys.modules["requests"] = requests
programs = json.load(sys.stdin)
out, sys.stdout = sys.stdout, open("/dev/null", "w")
builtins.open = lambda *given: None
for text in programs: exec(text, {})
print(json.dumps(noted), file=out)
`;
