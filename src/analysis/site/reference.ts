import type { SourceFile } from '../../base/source/source-file.js';
import { describePlace } from '../../base/source/span.js';
import { describeAccess } from '../../compiler/api/access.js';
import type { Addresses } from '../../compiler/api/curl.js';
import { printConstant } from '../../compiler/api/signature.js';
import { schemaToOpenAPI } from '../../compiler/emit/openapi.js';
import { ifGiven, remember } from '../../compiler/graph/maps.js';
import { capitalized } from '../../compiler/graph/names.js';
import { baseName, printTypeRef, type TypeRef } from '../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlAccess,
  type GqlArgument,
  type GqlField,
  type GqlOperation,
  type GqlSchema,
} from '../../compiler/schema/gql-schema.js';
import { originsOf, placesOf } from '../provenance/origins.js';
import {
  type Block,
  code,
  codeBlock,
  type Inline,
  type Inlines,
  joined,
  pageLink,
  paragraph,
  section,
  type TableRow,
} from './page.js';
import { assignPaths, type Paths } from './paths.js';
import { readInlines } from './prose.js';

export interface SiteSource {
  readonly title: string;
  readonly schema: GqlSchema;
  /** The texts of the topology, for excerpts. */
  readonly sources: readonly SourceFile[];
  readonly addresses: Addresses;
}

/** A subject with the lookup tables of its pages. */
export interface Reference extends SiteSource {
  readonly paths: Paths;
  readonly openapi: ReturnType<typeof schemaToOpenAPI>;
  readonly uses: ReturnType<typeof findUses>;
}

export function createReference(source: SiteSource): Reference {
  const { schema, title } = source;
  const openapi = schemaToOpenAPI(schema, title);
  return { ...source, openapi, paths: assignPaths(schema), uses: findUses(schema) };
}

export function typeInline({ paths }: Reference, type: TypeRef): Inline {
  return pageLink(printTypeRef(type), paths.ofType(baseName(type)));
}

/** A link to the page of a type, or its name. */
export function nameInline({ paths }: Reference, name: string): Inline {
  return pageLink(name, paths.ofType(name));
}

export function operationInline({ paths }: Reference, operation: GqlOperation): Inline {
  return pageLink(operation.name, paths.ofOperation(operation));
}

/** The links of several operations, with commas. */
export function operationLinks(reference: Reference, operations: readonly GqlOperation[]): Inlines {
  return joined(operations.map((operation) => operationInline(reference, operation)));
}

type Member = GqlField | GqlArgument;

/** The rows of a table of fields or arguments: name, type and notes. */
export function memberRows(reference: Reference, members: readonly Member[]) {
  return members.flatMap((member): readonly TableRow[] => {
    const { name } = member;
    const args = 'arguments' in member ? (member.arguments ?? []) : [];
    const cellsOf = (text: string, part: Member) => [
      [code(text)],
      [typeInline(reference, part.type)],
      memberNotes(reference.schema, part),
    ];
    return [
      { id: `member-${name}`, cells: cellsOf(name, member) },
      ...args.map((argument) => ({ cells: cellsOf(`${name}(${argument.name}:)`, argument) })),
    ];
  });
}

export function memberTable(reference: Reference, label: string, members: readonly Member[]): Block {
  const rows = memberRows(reference, members);
  return { kind: 'table', label, head: ['Name', 'Type', 'Description'], rows };
}

/** The places of a part of an API in the topology, with the text there. */
export function sourceSection({ schema, sources }: Reference, coordinate: string): readonly Block[] {
  const origin = originsOf(schema).get(coordinate);
  if (origin === undefined) return [];
  const blocks = placesOf(schema, origin).flatMap(({ span, what }): readonly Block[] => {
    const source = sources.find(({ name }) => name === span.file);
    const place = describePlace(schema.sources, span);
    const heading = paragraph(`${capitalized(what)}, at `, code(place));
    return [heading, ...ifGiven(source, ({ text }) => codeBlock('gg', excerpt(text, span), place))];
  });
  return section('Source', blocks);
}

const excerptLines = 60;

function excerpt(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const lines = text.slice(start, end).split(/\r\n|\r|\n/);
  return lines.length <= excerptLines ? lines.join('\n') : `${lines.slice(0, excerptLines).join('\n')}\n…`;
}

function memberNotes(schema: GqlSchema, member: Member & GqlAccess): Inlines {
  const { description, deprecated, examples = [], constraints, notNull } = member;
  const limits = Object.entries(constraints ?? {}).map(([word, limit]) => code(`${word}: ${limit}`));
  const parts: Inlines[] = [
    ...ifGiven(description || undefined, readInlines),
    ...ifGiven(deprecated, (reason) => [{ kind: 'strong', text: 'Deprecated:' } as const, ' ', ...readInlines(reason)]),
    ...ifGiven(describeAccess(member), readInlines),
    ...ifGiven(member.fallback, (value) => ['Default: ', code(printConstant(schema, member.type, value))]),
    ...(notNull ? [['Not null.']] : []),
    ...(limits.length === 0 ? [] : [joined(limits)]),
    ...(examples.length === 0 ? [] : [['Example: ', code(JSON.stringify(examples[0]))]]),
  ];
  return parts.flatMap((part, at) => (at === 0 ? part : [' · ', ...part]));
}

function findUses(schema: GqlSchema) {
  const none = () => ({
    results: [] as GqlOperation[],
    arguments: [] as GqlOperation[],
    fields: [] as { readonly owner: string; readonly name: string }[],
    unions: [] as string[],
  });
  const uses = new Map<string, ReturnType<typeof none>>();
  const usesOf = (name: string) => remember(uses, name, none);
  for (const operation of allOperations(schema)) {
    usesOf(baseName(operation.type)).results.push(operation);
    for (const name of new Set(operation.arguments.map(({ type }) => baseName(type))))
      usesOf(name).arguments.push(operation);
    for (const name of operation.throws ?? []) usesOf(name).results.push(operation);
  }
  for (const { name: owner, fields } of [...schema.objects, ...(schema.interfaces ?? []), ...schema.inputs])
    for (const { name, type } of fields) usesOf(baseName(type)).fields.push({ owner, name });
  for (const { name, members } of schema.unions) for (const member of members) usesOf(member).unions.push(name);
  return uses;
}
