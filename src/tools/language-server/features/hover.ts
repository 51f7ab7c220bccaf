import { type Hover, MarkupKind } from 'vscode-languageserver';
import { apiChains } from '../../../compiler/api/chains/api-chains.js';
import { printNotes } from '../../../compiler/api/print-notes.js';
import { allRoutes } from '../../../compiler/api/rest-routes.js';
import { operationSignature, printConstant } from '../../../compiler/api/signature.js';
import { printNamedType } from '../../../compiler/emit/graphql.js';
import { problemCodeOf } from '../../../compiler/graph/names.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import { edgeRules } from '../../../compiler/schema/edge-rules/edge-rules.js';
import { edgeSettings } from '../../../compiler/schema/edge-settings/edge-settings.js';
import {
  allOperations,
  type GqlField,
  type GqlOperation,
  type GqlSchema,
} from '../../../compiler/schema/gql-schema.js';
import { ventSettings } from '../../../compiler/schema/projection/project-vents.js';
import { racePolicies } from '../../../compiler/schema/projection/race-policy.js';
import { indexSchema, type NamedType } from '../../../compiler/schema/schema-index.js';
import { edgesIn } from '../names/edges.js';
import { mentionAt, Names, type PlacedMention } from '../names/names.js';
import { rangeOf } from '../workspace/locations.js';
import type { Workspace } from '../workspace/workspace.js';
import type { AnalysisFeature } from './feature.js';

/** Shows the SDL of a node's type, the operations that return it with their REST routes, and the doc comments. */
export const hoverFeature: AnalysisFeature = {
  capabilities: { hoverProvider: true },
  requests: ['textDocument/hover'],
  register: (connection, workspace) => {
    connection.onHover(({ textDocument: { uri }, position }): Hover | null => {
      const file = workspace.fileAt(uri);
      const mention = file && mentionAt(file, position);
      const text = mention && describeMention(workspace, mention);
      if (mention === undefined || text === undefined) return null;
      return {
        contents: { kind: MarkupKind.Markdown, value: text },
        range: rangeOf(mention.file.document, mention.start, mention.end),
      };
    });
  },
};

function describeMention(workspace: Workspace, mention: PlacedMention): string | undefined {
  const { kind, name, file } = mention;
  if (kind === 'edgeType' || kind === 'argument') {
    const edge = describeEdge(workspace.analysisOf(file).schema, mention);
    const isSetting = kind === 'argument' && !isTyped(mention);
    const setting = isSetting
      ? (edgeSettings.find(({ key }) => key === name) ?? racePolicies.get(name) ?? ventSettings.get(name))
      : undefined;
    return setting === undefined ? edge : paragraphs(`\`${name}\`: ${setting.detail}`, edge);
  }
  if (kind === 'label') return labelTexts.get(name);
  const target = new Names(workspace.filesAround(file)).targetOf(mention, file);
  if (target?.kind === 'file')
    return workspace.file(target.path) === undefined ? undefined : `The file \`${target.path}\``;
  if (target === undefined || !('id' in target)) return kind === 'type' ? describeStandard(name) : undefined;
  const { schema } = workspace.analysisOf(file);
  if (target.kind === 'field') return describeField(schema, target.id, name);
  return describeNode(schema, target.id, kind === 'type' ? name : undefined);
}

/** Whether the property is an argument: its value is a type. The errors of `throws` are types, too. */
function isTyped({ name, file: { document }, end }: PlacedMention): boolean {
  return name !== 'throws' && /^\s*:[\s[]*[A-Z]/.test(document.getText().slice(end, end + 100));
}

function describeStandard(name: string): string | undefined {
  const scalar = standardScalars.get(name);
  if (scalar === undefined) return undefined;
  const { description, specifiedBy, example, given } = scalar;
  return paragraphs(
    code(`scalar ${name}`),
    description,
    `Example: \`${JSON.stringify(example)}\`. Resolvers receive: \`${given}\`.`,
    specifiedBy && `[Specification](${specifiedBy})`,
  );
}

/** @param wanted - The mentioned type; undefined when the node itself is mentioned. */
function describeNode(schema: GqlSchema, id: string, wanted: string | undefined): string | undefined {
  const problem = schema.problems?.find(({ node }) => node?.id === id);
  if (problem !== undefined) {
    const { name, description, status } = problem;
    const what = `Node \`${id}\` → the declared error \`${problemCodeOf(name)}\`, HTTP status ${status}`;
    return paragraphs(what, description);
  }
  const { objects, enums, scalars, inputs, interfaces = [] } = schema;
  const types = [...objects, ...enums, ...scalars, ...inputs, ...interfaces];
  const own = types.find(({ node }) => node?.id === id);
  if (own === undefined) return undefined;
  const { types: byName } = indexSchema(schema);
  const found = byName.get(wanted ?? own.name) ?? byName.get(own.name);
  const operations = allOperations(schema).filter(({ edges }) => edges.some(({ to }) => to === id));
  const unions = schema.unions.filter(({ target }) => target === own.name && own.name !== wanted);
  return paragraphs(
    `Node \`${id}\` → \`${own.name}\``,
    found && describeType(schema, found),
    ...describeOperations(schema, operations),
    ...describeUnions(schema, unions),
  );
}

function describeField(schema: GqlSchema, id: string, name: string): string | undefined {
  for (const found of indexSchema(schema).types.values()) {
    if (found.kind !== 'object' && found.kind !== 'interface' && found.kind !== 'input') continue;
    const field = found.type.node?.id === id && found.type.fields.find((one) => one.name === name);
    if (!field) continue;
    const only = { ...found.type, description: undefined, fields: [field] };
    return describeType(schema, { ...found, type: only } as NamedType);
  }
  return undefined;
}

/** The edge whose type or argument is mentioned: the last one that begins before the mention. */
function describeEdge(schema: GqlSchema, { start, file }: PlacedMention): string | undefined {
  const { segment, base } = file.segments.at(start);
  const edge = edgesIn(segment).findLast(({ typeStart }) => typeStart + base <= start);
  if (edge === undefined) return undefined;
  const [from, to] = [edge.source.start + base, edge.target.end + base];
  const fromHere = ({ edges }: Pick<GqlOperation, 'edges'>) =>
    edges.some(({ span }) => span.file === file.path && span.start === from && span.end === to);
  const parts = [
    ...describeOperations(schema, allOperations(schema).filter(fromHere)),
    ...describeUnions(schema, schema.unions.filter(fromHere)),
  ];
  for (const { name, vent } of schema.queries)
    if (vent !== undefined && fromHere({ edges: [vent.edge] }))
      parts.push(`When \`${name}\` fails, \`${vent.query}\` answers.`);
  if (parts.length > 0) return paragraphs(...parts);
  return edgeRules.has(edge.type) ? undefined : `\`${edge.type}\` edges are not part of the API.`;
}

const labelTexts: ReadonlyMap<string, string> = new Map([
  ['Enum', 'A node with the label `Enum` is an enum; its values are `values: [ONE, TWO]`.'],
  ['Scalar', 'A node with the label `Scalar` is a custom scalar.'],
  ['Input', 'A node with the label `Input` is exactly that input: its `!` and its defaults hold for callers.'],
  ['OneOf', 'With `OneOf` beside `Input`, callers give exactly one of the fields.'],
  ['Interface', 'A node with the label `Interface` is an interface; object types have `implements: [Name]`.'],
]);

function describeOperations(schema: GqlSchema, operations: readonly GqlOperation[]): string[] {
  const routes = allRoutes(schema);
  return operations.map((operation) => {
    const route = routes.find((one) => one.operation === operation);
    const call = route && `REST: \`${route.method} ${route.path}\``;
    const chain = apiChains(schema).find(({ goal }) => goal.operation === operation);
    const steps = chain && `Chain: \`POST ${chain.path}\` runs ${chain.steps.map(({ name }) => name).join(', ')}.`;
    const sdl = code(`${operation.kind} ${operationSignature(schema, operation)}${printNotes(operation)}`);
    return paragraphs(sdl, operation.description, call, steps);
  });
}

function describeUnions(schema: GqlSchema, unions: GqlSchema['unions']): string[] {
  return unions.map((type) => describeType(schema, { kind: 'union', type }));
}

function paragraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n\n');
}

function code(sdl: string): string {
  return `\`\`\`graphql\n${sdl.trimEnd()}\n\`\`\``;
}

/** A type as SDL, without the provenance directives, because the cursor is at the origin; constants are comments. */
function describeType(schema: GqlSchema, found: NamedType): string {
  if (found.kind === 'builtin') return '';
  const type: object = { ...found.type, node: undefined, edges: [] };
  const constant = ({ type, fallback }: GqlField) =>
    fallback === undefined ? '' : ` # ${printConstant(schema, type, fallback)}`;
  return code(printNamedType(schema, { ...found, type } as NamedType, constant) ?? '');
}
