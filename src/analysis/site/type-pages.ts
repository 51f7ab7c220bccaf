import { isWebUrl } from '../../base/source/parse-url.js';
import { exampleArgument, exampleResult } from '../../compiler/api/examples.js';
import { defaultSelection } from '../../compiler/api/selection.js';
import { ifGiven } from '../../compiler/graph/maps.js';
import { problemCodeOf } from '../../compiler/graph/names.js';
import { named } from '../../compiler/graph/type-ref.js';
import type {
  GqlEnumType,
  GqlInputType,
  GqlInterfaceType,
  GqlObjectType,
  GqlProblemType,
  GqlScalarType,
  GqlSchema,
  GqlUnionType,
} from '../../compiler/schema/gql-schema.js';
import { implementersOf, indexSchema } from '../../compiler/schema/schema-index.js';
import {
  type Block,
  code,
  facts,
  type Inlines,
  joined,
  jsonBlock,
  list,
  type Page,
  pageLink,
  paragraph,
  section,
} from './page.js';
import { unusedInputsPath } from './paths.js';
import { readInlines, readProse, summaryOf } from './prose.js';
import { memberTable, nameInline, operationLinks, type Reference, sourceSection } from './reference.js';

/** The page of each type, input and declared error, in the order of the schema. */
export function typePages(reference: Reference): readonly Page[] {
  const { schema, paths } = reference;
  const { objects, interfaces = [], unions, enums, scalars, inputs, problems = [] } = schema;
  const isOwn = ({ name }: Pick<GqlObjectType, 'name'>) => paths.isOwn(paths.ofType(name));
  return [
    ...objects.filter(isOwn).map((type) => objectPage(reference, type)),
    ...interfaces.map((type) => interfacePage(reference, type)),
    ...unions.map((type) => unionPage(reference, type)),
    ...enums.map((type) => enumPage(reference, type)),
    ...scalars.map((type) => scalarPage(reference, type)),
    ...inputs.filter(isOwn).map((type) => inputPage(reference, type)),
    ...problems.map((type) => problemPage(reference, type)),
  ];
}

function typePage(
  reference: Reference,
  kind: string,
  { name, description }: Pick<GqlObjectType, 'name' | 'description'>,
  blocks: readonly Block[],
): Page {
  return {
    path: reference.paths.ofType(name) as string,
    title: name,
    kind,
    summary: summaryOf(description),
    blocks: [
      ...readProse(description ?? ''),
      ...blocks,
      ...section('Used by', useBlocks(reference, name)),
      ...sourceSection(reference, name),
    ],
  };
}

function objectPage(reference: Reference, type: GqlObjectType): Page {
  const { schema } = reference;
  const { name, fields, interfaces = [] } = type;
  const input = indexSchema(schema).inputOf.get(name);
  const isUsed = input !== undefined && reference.paths.isOwn(reference.paths.ofType(input.name));
  return typePage(reference, 'object type', type, [
    ...(interfaces.length === 0 ? [] : [paragraph('Implements ', ...namesOf(reference, interfaces), '.')]),
    ...section('Fields', [memberTable(reference, 'Fields', fields)]),
    ...resultSection(schema, name),
    ...ifGiven(isUsed ? input : undefined, (of) => paragraph('As an argument: ', nameInline(reference, of.name), '.')),
  ]);
}

function interfacePage(reference: Reference, type: GqlInterfaceType): Page {
  const members = implementersOf(reference.schema, type.name);
  return typePage(reference, 'interface', type, [
    ...section('Fields', [memberTable(reference, 'Fields', type.fields)]),
    ...section('Types', list(members.map((name) => [nameInline(reference, name)]))),
  ]);
}

function unionPage(reference: Reference, type: GqlUnionType): Page {
  const { members, delays, target, policy = {} } = type;
  const items = members.map((name, at): Inlines => {
    const delay = delays?.[at] ?? 0;
    return [nameInline(reference, name), ...(delay === 0 ? [] : [`, after ${delay} ms`])];
  });
  return typePage(reference, 'union', type, [
    paragraph(
      `A race: the first ${policy.quorum === undefined ? 'branch that answers' : `result of ${policy.quorum} branches`} wins. It stands for `,
      nameInline(reference, target),
      ' in results.',
    ),
    ...section('Branches', list(items)),
    ...section('Policy', list(Object.entries(policy).map(([word, value]) => [code(word), `: ${value}`]))),
    ...resultSection(reference.schema, type.name),
  ]);
}

function resultSection(schema: GqlSchema, name: string): readonly Block[] {
  const type = named(name);
  return section('Example', [jsonBlock(exampleResult(schema, type, defaultSelection(schema, type)), 'JSON')]);
}

function enumPage(reference: Reference, type: GqlEnumType): Page {
  const rows = type.values.map((value, at) => {
    const { description = '', deprecated } = type.valueNotes?.[at] ?? {};
    const said = deprecated === undefined ? description : `${description} Deprecated: ${deprecated}`;
    const spelling = ifGiven(type.spellings, (spellings) => [code(spellings[at] as string)]);
    return { id: `member-${value}`, cells: [[code(value)], ...spelling, readInlines(said.trim())] };
  });
  const head = ['Value', ...(type.spellings === undefined ? [] : ['Over REST']), 'Description'];
  const table = { kind: 'table', label: 'Values', head, rows } as const;
  return typePage(reference, 'enum', type, section('Values', [table]));
}

function scalarPage(reference: Reference, type: GqlScalarType): Page {
  const blocks = ifGiven(type.specifiedBy, (url) => {
    const isUrl = isWebUrl(url) && !/\s/.test(url);
    return paragraph('Specification: ', isUrl ? { kind: 'link', text: url, to: { url } } : code(url));
  });
  return typePage(reference, 'scalar', type, blocks);
}

function inputPage(reference: Reference, type: GqlInputType): Page {
  const { schema } = reference;
  const none = { description: undefined, fallback: undefined, span: undefined };
  const argument = { name: type.name, type: named(type.name), ...none };
  return typePage(reference, 'input', type, [
    ...ifGiven(type.of, (of) => paragraph('The input of ', nameInline(reference, of), '. All fields are optional.')),
    ...(type.oneOf === true ? [paragraph('Exactly one of the fields must be given.')] : []),
    ...section('Fields', [memberTable(reference, 'Fields', type.fields)]),
    ...section('Example', [jsonBlock(exampleArgument(schema, argument), 'JSON')]),
  ]);
}

function problemPage(reference: Reference, type: GqlProblemType): Page {
  const { name, status, fields } = type;
  return typePage(reference, 'declared error', type, [
    ...facts({ 'Status over REST': [code(String(status))], Code: [code(problemCodeOf(name))] }),
    ...section('Fields', fields.length === 0 ? [] : [memberTable(reference, 'Fields', fields)]),
  ]);
}

function useBlocks(reference: Reference, name: string): readonly Block[] {
  const uses = reference.uses.get(name);
  if (uses === undefined) return [];
  const { results, arguments: args, fields, unions } = uses;
  const operations = [...new Set([...results, ...args])];
  const owners = fields.map(({ owner, name: field }) => pageLink(`${owner}.${field}`, reference.paths.ofType(owner)));
  return facts({
    Operations: operationLinks(reference, operations),
    Fields: joined(owners),
    Unions: namesOf(reference, unions),
  });
}

function namesOf(reference: Reference, names: readonly string[]): Inlines {
  return joined(names.map((name) => nameInline(reference, name)));
}

/** One page for all unused inputs: a topology has an input for each node. Undefined if there are none. */
export function unusedInputsPage(reference: Reference): Page | undefined {
  const { schema, paths } = reference;
  const inputs = schema.inputs.filter(({ name }) => paths.ofType(name) === unusedInputsPath);
  if (inputs.length === 0) return undefined;
  return {
    path: unusedInputsPath,
    title: 'Unused inputs',
    kind: 'unused input',
    summary: 'the inputs that no operation takes',
    blocks: [
      paragraph('The schema has these inputs, but no operation takes them.'),
      {
        kind: 'table',
        label: 'Unused inputs',
        head: ['Input', 'Of', 'Fields'],
        rows: inputs.map(({ name, of, fields }) => ({
          id: `member-${name}`,
          cells: [
            [code(name)],
            of === undefined ? [] : [nameInline(reference, of)],
            [code(fields.map((field) => field.name).join(', '))],
          ],
        })),
      },
    ],
  };
}
