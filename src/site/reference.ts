import { describeAccess } from '../api/access.js';
import type { Addresses } from '../api/curl.js';
import { printConstant } from '../api/signature.js';
import { schemaToOpenAPI } from '../emit/openapi.js';
import { remember } from '../graph/maps.js';
import { capitalized } from '../graph/names.js';
import { baseName, printTypeRef, type TypeRef } from '../graph/type-ref.js';
import type { ValueNotes } from '../graph/value-notes.js';
import { placesOf } from '../provenance/origin-places.js';
import { originsOf } from '../provenance/origins.js';
import {
  allOperations,
  type GqlAccess,
  type GqlArgument,
  type GqlField,
  type GqlOperation,
  type GqlSchema,
} from '../schema/gql-schema.js';
import type { SourceFile } from '../source/source-file.js';
import { describePlace } from '../source/span.js';
import {
  type Block,
  code,
  codeBlock,
  type Inline,
  type Inlines,
  pageLink,
  paragraph,
  section,
  type TableRow,
} from './page.js';
import { assignPaths, type Paths } from './paths.js';
import { readInlines } from './prose.js';

/** The subject of a site. */
export interface SiteSource {
  readonly title: string;
  readonly schema: GqlSchema;
  /** The texts of the topology, for excerpts. */
  readonly sources: readonly SourceFile[];
  /** The addresses in the commands. */
  readonly addresses: Addresses;
}

/** A subject with everything that several pages look up. */
export interface Reference extends SiteSource {
  readonly paths: Paths;
  readonly openapi: ReturnType<typeof schemaToOpenAPI>;
  readonly uses: ReadonlyMap<string, TypeUses>;
}

/** Everything that refers to a type. */
export interface TypeUses {
  readonly results: GqlOperation[];
  readonly arguments: GqlOperation[];
  /** The coordinates of fields, `Order.customer`, by the type of the field's owner. */
  readonly fields: { readonly owner: string; readonly name: string }[];
  readonly unions: string[];
}

/** Prepares a subject for its pages. */
export function createReference(source: SiteSource): Reference {
  const { schema, title } = source;
  return {
    ...source,
    paths: assignPaths(schema),
    openapi: schemaToOpenAPI(schema, title),
    uses: findUses(schema),
  };
}

/** A type, with a link to its page. */
export function typeInline({ paths }: Reference, type: TypeRef): Inline {
  const page = paths.ofType(baseName(type));
  return page === undefined ? code(printTypeRef(type)) : pageLink(printTypeRef(type), page);
}

/** A link to the page of a type, or its name. */
export function nameInline({ paths }: Reference, name: string): Inline {
  const page = paths.ofType(name);
  return page === undefined ? code(name) : pageLink(name, page);
}

/** A link to the page of an operation. */
export function operationInline({ paths }: Reference, operation: GqlOperation): Inline {
  return pageLink(operation.name, paths.ofOperation(operation));
}

/** The rows of a table of fields or arguments: name, type, and everything that is said of it. */
export function memberRows(
  reference: Reference,
  members: readonly (GqlField | GqlArgument)[],
): readonly TableRow[] {
  return members.flatMap((member): readonly TableRow[] => {
    const { name, type } = member;
    const args = 'arguments' in member ? (member.arguments ?? []) : [];
    return [
      {
        id: `member-${name}`,
        cells: [[code(name)], [typeInline(reference, type)], describeMember(reference.schema, member)],
      },
      ...args.map((argument) => ({
        cells: [
          [code(`${name}(${argument.name}:)`)],
          [typeInline(reference, argument.type)],
          describeMember(reference.schema, argument),
        ],
      })),
    ];
  });
}

/** A table of fields or arguments. */
export function memberTable(
  reference: Reference,
  label: string,
  members: readonly (GqlField | GqlArgument)[],
): Block {
  return {
    kind: 'table',
    label,
    head: ['Name', 'Type', 'Description'],
    rows: memberRows(reference, members),
  };
}

/** The places of a part of an API in the topology, with the text there. */
export function sourceSection({ schema, sources }: Reference, coordinate: string): readonly Block[] {
  const origin = originsOf(schema).get(coordinate);
  if (origin === undefined) return [];
  const blocks = placesOf(schema, origin).flatMap(({ span, what }): readonly Block[] => {
    const source = sources.find(({ name }) => name === span.file);
    const place = describePlace(schema.sources, span);
    const said = paragraph([`${capitalized(what)}, at `, code(place)]);
    if (source === undefined) return [said];
    return [said, codeBlock('gg', excerpt(source.text, span), place)];
  });
  return section('Source', blocks);
}

/** A longer declaration is cut off. */
const excerptLines = 60;

function excerpt(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const lines = text.slice(start, end).split(/\r\n|\r|\n/);
  return lines.length <= excerptLines ? lines.join('\n') : `${lines.slice(0, excerptLines).join('\n')}\n…`;
}

/** Everything that is said of a field or an argument, after its type. */
function describeMember(
  schema: GqlSchema,
  {
    description,
    deprecated,
    examples = [],
    constraints,
    ...member
  }: (GqlField | GqlArgument) & ValueNotes & GqlAccess,
): Inlines {
  const access = describeAccess(member);
  const limits = Object.entries(constraints ?? {}).map(([word, limit]) => code(`${word}: ${limit}`));
  const parts: Inlines[] = [
    ...(description === undefined || description === '' ? [] : [readInlines(description)]),
    ...(deprecated === undefined ? [] : [[strong('Deprecated:'), ' ', ...readInlines(deprecated)]]),
    ...(access === undefined ? [] : [readInlines(access)]),
    ...(member.fallback === undefined
      ? []
      : [['Default: ', code(printConstant(schema, member.type, member.fallback))]]),
    ...(limits.length === 0 ? [] : [limits.flatMap((limit, at) => (at === 0 ? [limit] : [', ', limit]))]),
    ...(examples.length === 0 ? [] : [['Example: ', code(JSON.stringify(examples[0]))]]),
  ];
  return parts.flatMap((part, at) => (at === 0 ? part : [' · ', ...part]));
}

function strong(text: string): Inline {
  return { kind: 'strong', text };
}

function findUses(schema: GqlSchema): ReadonlyMap<string, TypeUses> {
  const uses = new Map<string, TypeUses>();
  const usesOf = (name: string): TypeUses => {
    return remember(uses, name, () => ({ results: [], arguments: [], fields: [], unions: [] }));
  };
  for (const operation of allOperations(schema)) {
    usesOf(baseName(operation.type)).results.push(operation);
    for (const name of new Set(operation.arguments.map(({ type }) => baseName(type))))
      usesOf(name).arguments.push(operation);
    for (const name of operation.throws ?? []) usesOf(name).results.push(operation);
  }
  for (const { name: owner, fields } of [...schema.objects, ...(schema.interfaces ?? []), ...schema.inputs]) {
    for (const { name, type } of fields) usesOf(baseName(type)).fields.push({ owner, name });
  }
  for (const { name, members } of schema.unions)
    for (const member of members) usesOf(member).unions.push(name);
  return uses;
}
