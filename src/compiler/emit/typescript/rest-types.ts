import { type ApiChain, apiChains, hasUndo, hasWaits, runStates, takenOf } from '../../api/chains/api-chains.js';
import { pagedResult } from '../../api/chains/paged-result.js';
import { formParts } from '../../api/form-parts.js';
import { answeredFields } from '../../api/is-required.js';
import { conditionalHeader } from '../../api/request-headers.js';
import {
  answerType,
  hasContent,
  placeArguments,
  type RestRoute,
  restRoutes,
  streamRoutes,
} from '../../api/rest-routes.js';
import { appendTo } from '../../graph/maps.js';
import { nullable } from '../../graph/type-ref.js';
import { notesOf } from '../../graph/value-notes.js';
import { allOperations, type GqlArgument } from '../../schema/gql-schema.js';
import { inputTypeOf, isComposite } from '../../schema/schema-index.js';
import { restPrefix } from '../../schema/server-paths.js';
import { wireView } from '../../schema/wire-view.js';
import { alwaysAnswered, holdsObjectsOnly } from '../openapi/component-schemas.js';
import { problemDetails } from './problem-classes.js';
import { abstractTypes, reachableTypes } from './resolver-types.js';
import {
  answerText,
  docComment,
  enumText,
  leafText,
  memberText,
  oneOfText,
  sentMember,
  type TypeContext,
  unionText,
  withTags,
} from './type-text.js';

/**
 * The types of a REST client in a namespace: each path with its methods, and for each method the parameters or the
 * body, and the response. Scalars have the types of their JSON values.
 *
 * @param scalarText - The TypeScript type of a custom scalar as JSON.
 */
export function restTypes(whole: TypeContext, scalarText: (name: string) => string): string {
  const context = { ...whole, schema: wireView(whole.schema) };
  const { schema, nameOf } = context;
  const operations = allOperations(schema);
  const used = reachableTypes(schema, operations);
  const isAnswered = alwaysAnswered(schema);
  // In an input position, a layer may name an object type in place of its input.
  const leaf = (name: string): string =>
    isComposite(schema, name) ? nameOf(inputTypeOf(schema, name)?.name ?? name) : leafText(context, name);
  const objects = schema.objects
    .filter(({ name }) => used.has(name))
    .map(({ name, description, fields: all }) => {
      const fields = answeredFields(all);
      const typename = holdsObjectsOnly(schema, fields) ? `    readonly __typename?: '${name}';\n` : '';
      const members = fields.map((field) =>
        memberText(field, !isAnswered(name, field.name), answerText(context, field.type), '    '),
      );
      return interfaceText(nameOf(name), description, typename + members.join(''));
    });
  const unions = abstractTypes(schema)
    .filter(({ name }) => used.has(name))
    .map(({ name, description, members }) => {
      const options = members.map((member) => `(${nameOf(member)} & { readonly __typename: '${member}' })`);
      return docComment(description, '  ') + unionText(`  export type ${nameOf(name)} =`, options);
    });
  const inputs = schema.inputs
    .filter(({ name }) => used.has(name))
    .map(({ name, description, fields, oneOf }) =>
      oneOf
        ? docComment(description, '  ') + oneOfText(`  export type ${nameOf(name)} =`, fields, leaf)
        : interfaceText(nameOf(name), description, fields.map((field) => sentMember(field, leaf, '    ')).join('')),
    );
  const scalars = schema.scalars.map(
    ({ name, description }) => `${docComment(description, '  ')}  export type ${nameOf(name)} = ${scalarText(name)};\n`,
  );
  // The others are the enums of resolvers.
  const enums = schema.enums.flatMap((type) => (type.names ? enumText(type, nameOf, '  ') : []));
  const problems = (schema.problems ?? []).map((problem) => problemDetails(context, problem));
  const streams = schema.subscriptions.length === 0 ? [] : [streamsText(context, leaf)];
  const types = [...problems, ...objects, ...unions, ...inputs, ...scalars, ...enums];
  const body = [pathsText(context, leaf), ...streams, ...types].join('\n');
  return `/** The REST routes of the API, and the types of their JSON. */\nexport namespace Rest {\n${body}}\n`;
}

function pathsText(context: TypeContext, leaf: (name: string) => string): string {
  const { schema, nameOf } = context;
  const byPath = new Map<string, string[]>();
  const runs: string[] = [];
  for (const route of restRoutes(schema)) {
    const { method, path, operation } = route;
    const places = placeArguments(route);
    const answer = hasContent(operation) ? answerText(context, answerType(operation)) : 'undefined';
    const { throws } = operation;
    const problem = throws === undefined ? '' : `        readonly problem: ${throws.map(nameOf).join(' | ')};\n`;
    const given = (name: string, args: readonly GqlArgument[]) =>
      `        readonly ${name}: ${argumentsText(args, leaf)};\n`;
    const condition = operation.etag === undefined ? [] : [conditionalHeader(operation)];
    const inHeaders = [...places.header, ...condition].map((one) => ({ ...one, name: `'${one.header}'` }));
    const bodyOf = (one: RestRoute, body: readonly GqlArgument[]) => {
      const form = formParts(schema, one);
      if (form === undefined) return given('body', body);
      return given(
        'form',
        form.map(({ name, place }) => ({ ...place, name: name.includes('.') ? `'${name}'` : name })),
      );
    };
    const text =
      `${docComment(withTags(operation.description, notesOf(operation)), '      ')}      readonly ${method.toLowerCase()}: {\n` +
      (places.path.length === 0 ? '' : given('path', places.path)) +
      (inHeaders.length === 0 ? '' : given('headers', inHeaders)) +
      (places.body === undefined ? given('parameters', places.query) : bodyOf(route, places.body)) +
      `        readonly answer: ${answer};\n${problem}      };\n`;
    appendTo(byPath, path, text);
  }
  for (const chain of apiChains(schema)) {
    appendTo(byPath, chain.path, chainText(context, chain, leaf));
    if (chain.goal.operation.durable) runs.push(runText(chain, resultsText(context, chain)));
  }
  if (runs.length > 0) {
    const answer = `        readonly answer:\n${runs.join('')};\n      };\n`;
    const id = '        readonly path: { readonly id: string };\n';
    for (const [path, method] of [
      ['runs/{id}', 'get'],
      ['runs/{id}/cancel', 'post'],
    ] as const)
      appendTo(byPath, `${restPrefix}${path}`, `      readonly ${method}: {\n${id}${answer}`);
  }
  const members = [...byPath].map(([path, methods]) => `    readonly '${path}': {\n${methods.join('')}    };\n`);
  return `  /** The paths, with the arguments and the answer of each method. */\n  export interface Paths ${members.length === 0 ? '{}' : `{\n${members.join('')}  }`}\n`;
}

/** A run of a durable chain, as a member of the union of all. */
function runText(chain: ApiChain, results: string): string {
  const { name } = chain;
  const waitsFor = hasWaits(chain)
    ? '              readonly waitsFor?: { readonly event?: string; readonly until?: string };\n'
    : '';
  const states = runStates.map((state) => `'${state}'`).join(' | ');
  return (
    `          | {\n              readonly id: string;\n              readonly chain: '${name}';\n` +
    `              readonly state: ${states};\n              readonly steps: readonly (\n${results}          )[];\n` +
    `              readonly step?: string;\n${waitsFor}              readonly problem?: { readonly status: number; readonly detail?: string; readonly [member: string]: unknown };\n` +
    `${hasUndo(chain) ? '              readonly undone?: readonly string[];\n' : ''}              readonly createdAt: string;\n              readonly endedAt?: string;\n            }\n`
  );
}

function chainText(context: TypeContext, chain: ApiChain, leaf: (name: string) => string): string {
  const { steps, goal } = chain;
  const results = resultsText(context, chain);
  const answer = goal.operation.durable
    ? `        readonly answer:\n${runText(chain, results)};\n      };\n`
    : `        readonly answer: {\n          readonly steps: readonly (\n${results}          )[];\n        };\n      };\n`;
  const inputs = steps.map(({ name, operation, takes }) => {
    const paths = takes.map(({ path }) => path);
    return `          readonly ${name}?: ${inputsText(context, operation.arguments, paths, leaf, '          ')} | undefined;\n`;
  });
  return (
    `      /** Runs the steps that the body names, and the last one. */\n      readonly post: {\n` +
    `        readonly body: {\n${inputs.join('')}        };\n${answer}`
  );
}

/** The steps of a chain with their results, as members of a union. */
function resultsText(context: TypeContext, { steps }: ApiChain): string {
  const results = steps.map(({ name, operation }) => {
    const answer = answerText(context, answerType(operation));
    const isNever = operation.type.kind === 'nonNull';
    const items = answer.replace(/ \| null$/, '');
    const members = pagedResult(operation, { items, after: 'string', totalCount: 'number' });
    const page = Object.entries(members).map(([member, type]) => {
      return ` readonly ${member}${member === 'items' ? '' : '?'}: ${type}`;
    });
    const result = operation.page === undefined ? answer : `{${page.join(';')} }${isNever ? '' : ' | null'}`;
    return `            | { readonly operation: '${name}'; readonly result: ${result} }\n`;
  });
  return results.join('');
}

/** Arguments of which those that take an id may be left out. */
function inputsText(
  context: TypeContext,
  declarations: readonly GqlArgument[],
  paths: readonly (readonly string[])[],
  leaf: (name: string) => string,
  indent: string,
): string {
  const inner = `${indent}  `;
  const members = declarations.map((one) => {
    const taken = takenOf(context.schema, one, paths);
    if (taken === undefined) return sentMember(one, leaf, inner);
    if (taken === 'id') return sentMember({ ...one, type: nullable(one.type), notNull: true }, leaf, inner);
    const { input } = taken;
    return sentMember(one, () => inputsText(context, input.fields, taken.paths, leaf, inner), inner);
  });
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${members.join('')}${indent}}`;
}

/** The streams, apart from the paths: a query may have the path of a stream. */
function streamsText(context: TypeContext, leaf: (name: string) => string): string {
  const { schema } = context;
  const members = streamRoutes(schema).map(({ path, operation }) => {
    const event = answerText(context, answerType(operation));
    return (
      `${docComment(withTags(operation.description, notesOf(operation)), '    ')}    readonly '${path}': {\n` +
      `      readonly parameters: ${argumentsText(operation.arguments, leaf, '      ')};\n` +
      `      readonly event: ${event};\n    };\n`
    );
  });
  return `  /** The streams of events, with the arguments and the data of an event of each. */\n  export interface Streams {\n${members.join('')}  }\n`;
}

function argumentsText(args: readonly GqlArgument[], leaf: (name: string) => string, indent = '        '): string {
  if (args.length === 0) return 'Readonly<Record<string, never>>';
  return `{\n${args.map((argument) => sentMember(argument, leaf, `${indent}  `)).join('')}${indent}}`;
}

function interfaceText(name: string, description: string | undefined, members: string): string {
  const body = members === '' ? '{}' : `{\n${members}  }`;
  return `${docComment(description, '  ')}  export interface ${name} ${body}\n`;
}
