import { escapeTemplate, headersText } from '../../src/analysis/site/request-code.js';
import { type CurlHeader, curlCommand } from '../../src/compiler/api/curl.js';
import { placeArguments, restRoute } from '../../src/compiler/api/rest-routes.js';
import { quoted } from '../../src/compiler/emit/typescript/problem-classes.js';
import type { GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { argumentsOf } from './drafts.js';
import { type CallForm, graphqlOf, requestOf } from './request.js';

/** The addresses that code calls, and the headers that it sends. */
export interface CodeContext {
  /** `http://localhost:4000` */
  readonly origin: string;
  /** The path of GraphQL. */
  readonly endpoint: string;
  readonly headers: readonly CurlHeader[];
}

type CodedCall = [schema: GqlSchema, operation: GqlOperation, form: CallForm, context: CodeContext];

/** A call as code of one kind. */
export interface Code {
  readonly title: string;
  readonly text: string;
}

/** The call of a form as code that can be pasted: for a shell, for TypeScript, and as GraphQL with its variables. */
export function codeOf(...call: CodedCall): readonly Code[] {
  const [schema, operation, form] = call;
  const { query, variables } = graphqlOf(schema, operation, form);
  return [
    { title: 'curl', text: curlOf(...call) },
    { title: 'TypeScript', text: (form.protocol === 'rest' ? restTypeScript : graphqlTypeScript)(...call) },
    { title: 'GraphQL', text: `${query}\n` },
    { title: 'Variables', text: `${JSON.stringify(variables, null, 2)}\n` },
  ];
}

function curlOf(...[schema, operation, form, { origin, endpoint, headers }]: CodedCall): string {
  const request = requestOf(schema, operation, form, endpoint);
  return curlCommand({
    ...request,
    url: origin + request.url,
    headers: [...request.headers, ...headers],
    isStream: operation.kind === 'subscription',
  });
}

/** A call with the types that `gg-svc types` writes. */
function restTypeScript(...[schema, operation, form, { origin, endpoint, headers }]: CodedCall): string {
  const route = restRoute(operation);
  const { method, url, headers: own, body } = requestOf(schema, operation, form, endpoint);
  const args = placeArguments(route).body;
  const hasBody = body !== undefined && args !== undefined;
  const hasFields = /[?&]fields=/.test(url) && !operation.arguments.some(({ name }) => name === 'fields');
  const type = `Rest.Paths[${quoted(route.path)}][${quoted(method.toLowerCase())}]`;
  const init = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...headersText([...own, ...headers]),
    ...(hasBody ? ['  body: JSON.stringify(body),'] : []),
  ];
  const code = [
    ...(hasBody ? [`const body: ${type}['body'] = ${literal(argumentsOf(schema, args, form.drafts))};`] : []),
    `const response = await fetch(${quoted(origin + url)}${init.length === 0 ? '' : `, {\n${init.join('\n')}\n}`});`,
    'if (!response.ok) throw new Error(await response.text());',
    operation.status === 204 || operation.status === 205
      ? ''
      : `const answer = ${hasFields ? 'await response.json()' : `(await response.json()) as ${type}['answer']`};\nconsole.log(answer);`,
    '',
  ].join('\n');
  return code.includes(`${type}[`) ? `import type { Rest } from './types.js';\n\n${code}` : code;
}

function graphqlTypeScript(...[schema, operation, form, { origin, endpoint, headers }]: CodedCall): string {
  const { query, variables } = graphqlOf(schema, operation, form);
  const { headers: own } = requestOf(schema, operation, { ...form, protocol: 'graphql' }, endpoint);
  const isStream = operation.kind === 'subscription';
  return [
    `const query = ${template(query)};`,
    `const variables = ${literal(variables)};`,
    `const response = await fetch(${quoted(origin + endpoint)}, {`,
    "  method: 'POST',",
    ...headersText([...own, ...headers]),
    '  body: JSON.stringify({ query, variables }),',
    '});',
    ...(isStream
      ? [
          "if (response.body === null) throw new Error('The response has no body.');",
          "let text = '';",
          'for await (const part of response.body.pipeThrough(new TextDecoderStream())) {',
          '  text += part;',
          "  const events = text.split('\\n\\n');",
          "  text = events.pop() ?? '';",
          '  for (const event of events) {',
          '    const data = /^data: (.+)$/m.exec(event)?.[1];',
          '    if (data !== undefined) console.log(JSON.parse(data));',
          '  }',
          '}',
        ]
      : [
          'const answer = (await response.json()) as { data?: unknown; errors?: unknown };',
          'if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));',
          'console.log(answer.data);',
        ]),
    '',
  ].join('\n');
}

/** A value as a literal: JSON is TypeScript, except for the key `__proto__`, which no member of an API has. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function template(text: string): string {
  return `\`${escapeTemplate(text)}\``;
}
