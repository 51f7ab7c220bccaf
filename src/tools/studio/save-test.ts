import { posix } from 'node:path';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { redacted } from '../../runtime/logs/redact.js';
import type { Call, CallRequest } from './protocol.js';

/** The set-up of a test, so that it is a client of the same server. Paths are relative to the folder of the command. */
export interface TestSetup {
  readonly topologies: readonly string[];
  readonly folder: string;
  /** The resolvers module, and whether its default export has the resolvers. */
  readonly resolvers?: { readonly path: string; readonly isDefault: boolean };
  readonly context?: string;
  readonly hasProject: boolean;
}

export interface TestFiles {
  setup(): Promise<TestSetup>;
  /** Writes a new file. Returns false if there is one of this name. */
  create(path: string, text: string): Promise<boolean>;
}

/** Saves a call as a test in a new file. @throws {ProblemError} If it is not kept, or a test cannot repeat it. */
export async function saveTest(call: Call | undefined, schema: GqlSchema | undefined, files: TestFiles) {
  if (call === undefined || schema === undefined)
    throw new ProblemError({ status: 409, detail: 'This call is not kept any more.' });
  const setup = await files.setup();
  const text = printTest(call, schema, setup);
  const name = call.coordinate.split('.')[1] ?? call.coordinate;
  for (let number = 1; ; number++) {
    const path = posix.join(setup.folder, `${name}${number === 1 ? '' : `-${number}`}.test.mjs`);
    if (await files.create(path, text)) return { path, text };
  }
}

/** The folder of the tests of a topology: `tests` next to its first file. */
export function testFolderOf([first = '']: readonly string[]): string {
  return /^[a-z]+:/i.test(first) ? 'tests' : posix.join(posix.dirname(first.replaceAll('\\', '/')), 'tests');
}

/** Prints a call as a test for `node --test`. @throws {ProblemError} If a test cannot repeat the call. */
export function printTest(call: Call, schema: GqlSchema, setup: TestSetup): string {
  const detail = reasonAgainstRepeat(call, schema);
  if (detail !== undefined) throw new ProblemError({ status: 409, detail });
  const { coordinate, status, request, protocol } = call;
  const isHttp = protocol === 'rest' || protocol === 'graphql';
  const title = isHttp
    ? `${request.method} ${request.url} answers ${coordinate} with ${status}`
    : `${coordinate} has the same result`;
  const secrets = Object.entries(request.headers)
    .filter(([name, value]) => isHttp && value.includes(redacted) && isKeptHeader(name))
    .map(([name]) => variableOf(name));
  const hint = quote(`set ${secrets.join(' and ')}`);
  const skip = secrets.length === 0 ? '' : ` { skip: process.env.${secrets[0]} === undefined && ${hint} },`;
  const body = isHttp ? httpBody(call) : operationBody(call);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
${imports(setup)}
${serverOf(setup)}

test(${quote(title)},${skip} async () => {
  ${body.replaceAll('\n', '\n  ')}
});
`;
}

/** Why a call cannot be repeated; undefined if it can. */
export function reasonAgainstRepeat({ coordinate, request, answer }: Call, { io = [] }: GqlSchema): string | undefined {
  const [root, name] = coordinate.split('.');
  if (root === 'Subscription') return 'A subscription has no single answer to compare.';
  const isOutside = io.some(({ operations }) => operations.some((operation) => operation.name === name));
  if (isOutside) return `A channel answers ${name}, so the answer depends on what is outside.`;
  const sent = `${request.url ?? ''}\n${request.body ?? ''}`;
  if (sent.includes(redacted) || sent.includes(encodeURIComponent(redacted)))
    return 'The URL or the body of the request has credentials, which are not recorded.';
  if (request.body?.endsWith('…') === true) return 'The body of the request is larger than what is recorded.';
  if (answer === undefined && request.method === undefined) return 'The call has no recorded answer.';
  return undefined;
}

function imports({ folder, resolvers, context, hasProject }: TestSetup): string {
  const from = (path: string): string => {
    const way = posix.relative(folder, path.replaceAll('\\', '/'));
    return quote(way.startsWith('.') ? way : `./${way}`);
  };
  const lines = [`import { createGqlServer${hasProject ? ', loadConfig' : ''} } from 'gg-svc';`];
  if (context !== undefined) lines.push(`import * as caller from ${from(context)};`);
  const names = resolvers?.isDefault ? 'resolvers' : '* as resolvers';
  if (resolvers !== undefined) lines.push(`import ${names} from ${from(resolvers.path)};`);
  return `${lines.join('\n')}\n`;
}

function serverOf({ topologies, resolvers, context, hasProject }: TestSetup): string {
  const options = [
    ...(hasProject ? ['...project?.serverOptions'] : []),
    `topologies: [${topologies.map(quote).join(', ')}]`,
    ...(resolvers === undefined
      ? []
      : [hasProject ? 'resolvers: { ...project?.serverOptions.resolvers, ...resolvers }' : 'resolvers']),
    ...(context === undefined ? [] : ['...caller', 'context: caller.default ?? caller.context']),
  ];
  const project = hasProject ? 'const project = await loadConfig();\n' : '';
  return `${project}const server = createGqlServer({\n${options.map((option) => `  ${option},\n`).join('')}});`;
}

function httpBody({ status, request, answer }: Call): string {
  const { method = 'GET', url = '/', body } = request;
  const headers = Object.entries(request.headers).filter(([name]) => isKeptHeader(name));
  const init = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)},`]),
    ...(headers.length === 0 ? [] : ['headers: {', ...headers.map(headerLine), '},']),
    ...(body === undefined ? [] : [`body: ${bodyOf(body)},`]),
  ].join('\n');
  const options = init === '' ? '' : `, {\n  ${init.replaceAll('\n', '\n  ')}\n}`;
  return `const request = new Request(${quote(`http://localhost${url}`)}${options});
const response = await server.fetch(request);
assert.equal(response.status, ${status});
${comparison(answer)}`;
}

function comparison(answer: string | undefined): string {
  if (answer === undefined) return "assert.equal(await response.text(), '');";
  if (answer.includes(redacted) || answer.endsWith('…'))
    return '// The answer has credentials or is larger than what is recorded, so it is not compared.';
  const value = parsed(answer);
  if (value === undefined) return `assert.equal(await response.text(), ${quote(answer)});`;
  return `assert.deepEqual(await response.json(), ${print(value.json)});`;
}

/** An operation that did not come as an HTTP request with one answer runs in process. */
function operationBody({ request, answer = '' }: Call): string {
  const [result = ''] = answer.split('\n');
  return `const result = await server.executeOperation(${print(operationOf(request))});
assert.deepEqual(JSON.parse(JSON.stringify(result)), ${print(parsed(result)?.json)});`;
}

function operationOf({ url = '', body = '' }: CallRequest): unknown {
  const given = parsed(body)?.json;
  if (given !== undefined) return given;
  const parameters = new URL(url, 'http://localhost').searchParams;
  const variables = parsed(parameters.get('variables') ?? '')?.json;
  return { query: parameters.get('query'), variables };
}

function bodyOf(body: string): string {
  const value = parsed(body);
  // A body that would be written differently stays as it is.
  return value !== undefined && JSON.stringify(value.json) === body
    ? `JSON.stringify(${print(value.json)})`
    : quote(body);
}

function headerLine([name, value]: readonly [string, string]): string {
  return `  ${quote(name)}: ${value.includes(redacted) ? `process.env.${variableOf(name)}` : quote(value)},`;
}

function variableOf(header: string): string {
  return `TEST_${header.toUpperCase().replaceAll(/\W/g, '_')}`;
}

/** Headers that describe a connection or a browser do not change an answer. */
export function isKeptHeader(header: string): boolean {
  return !/^(?:accept-(?:encoding|language)|cache-control|connection|content-length|dnt|host|keep-alive|origin|pragma|priority|referer|sec-.*|te|trace(?:parent|state)|transfer-encoding|upgrade.*|user-agent|x-request-id)$/.test(
    header,
  );
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function quote(text: string): string {
  return /['\\\u0000-\u001f\u2028\u2029]/.test(text) ? JSON.stringify(text) : `'${text}'`;
}
