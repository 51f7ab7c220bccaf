import { routeText } from '../api/rest-routes.js';
import type { Drawing } from '../diagram/drawing.js';
import { hasEvents } from '../emit/asyncapi.js';
import { capitalized } from '../graph/names.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../schema/gql-schema.js';
import {
  type Block,
  code,
  type Inlines,
  list,
  type Page,
  type PictureLinks,
  pageLink,
  paragraph,
  type SearchEntry,
  section,
} from './page.js';
import { operationFolders } from './paths.js';
import { readInlines, readProse, summaryOf } from './prose.js';
import type { Reference } from './reference.js';

/** A folder of pages. */
export interface Area {
  readonly path: string;
  readonly title: string;
  readonly pages: readonly Page[];
}

/** The folders that have pages, in the order of the navigation. */
export function areasOf(pages: readonly Page[]): readonly Area[] {
  return areaTitles.flatMap(([folder, title]) => {
    const own = pages.filter(({ path }) => path.startsWith(`${folder}/`));
    return own.length === 0 ? [] : [{ path: `${folder}/index`, title, pages: own }];
  });
}

const areaTitles = [
  ['queries', 'Queries'],
  ['mutations', 'Mutations'],
  ['subscriptions', 'Subscriptions'],
  ['types', 'Types'],
  ['inputs', 'Inputs'],
  ['errors', 'Errors'],
] as const;

/** The index of an area: its pages, by their kind. */
export function areaPage(reference: Reference, { path, title, pages }: Area): Page {
  const kinds = [...new Set(pages.map(({ kind }) => kind as string))];
  const tableOf = (kind: string) =>
    pageTable(
      reference,
      kind,
      pages.filter((page) => page.kind === kind),
    );
  return {
    path,
    title,
    summary: `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`,
    blocks:
      kinds.length === 1
        ? kinds.map(tableOf)
        : kinds.flatMap((kind) => section(`${capitalized(kind)}s`, [tableOf(kind)])),
  };
}

/** The pages of one kind; of operations with a route, with that. */
function pageTable({ schema, paths }: Reference, label: string, pages: readonly Page[]): Block {
  const routes = new Map(
    allOperations(schema).map((operation) => [paths.ofOperation(operation), routeText(operation)]),
  );
  const hasRoutes = pages.some(({ path }) => routes.has(path));
  return {
    kind: 'table',
    label,
    head: hasRoutes ? ['Name', 'Route', 'Description'] : ['Name', 'Description'],
    rows: pages.map((page) => {
      const name = [pageLink(page.title, page.path)];
      return { cells: [name, ...(hasRoutes ? [[code(routes.get(page.path) ?? '')]] : []), [page.summary]] };
    }),
  };
}

/** The areas whose pages are listed on the first page. */
const operationAreas = new Set(Object.values(operationFolders).map((folder) => `${folder}/index`));

/** The first page. */
export function homePage(reference: Reference, areas: readonly Area[], further: readonly Page[]): Page {
  const { title, schema } = reference;
  const { info } = schema;
  const { contact, license, termsOfService } = info ?? {};
  const facts: Inlines[] = [
    ...(info?.version === undefined ? [] : [['Version: ', code(info.version)]]),
    ...(license === undefined ? [] : [['License: ', license.name]]),
    ...(contact === undefined
      ? []
      : [['Contact: ', [contact.name, contact.email, contact.url].filter(Boolean).join(', ')]]),
    ...(termsOfService === undefined ? [] : [['Terms of service: ', ...readInlines(`<${termsOfService}>`)]]),
  ];
  return {
    path: 'index',
    title,
    summary: summaryOf(info?.description),
    blocks: [
      ...readProse(info?.description ?? ''),
      ...(facts.length === 0 ? [] : [list(facts)]),
      ...areas
        .filter(({ path }) => operationAreas.has(path))
        .flatMap((area) => section(area.title, [pageTable(reference, area.title, area.pages)])),
      ...section('Everything', [
        list([
          ...areas.map(
            (area): Inlines => [pageLink(area.title, area.path, false), ` (${area.pages.length})`],
          ),
          ...further.map((page): Inlines => [pageLink(page.title, page.path, false), `: ${page.summary}`]),
        ]),
      ]),
      ...section('Downloads', [
        list(
          downloadsOf(schema).map(([file, what]) => [
            { kind: 'link', text: file, to: { file }, isCode: true },
            `: ${what}`,
          ]),
        ),
      ]),
    ],
  };
}

/** The files beside the pages. */
function downloadsOf(schema: GqlSchema): readonly (readonly [file: string, what: string])[] {
  return [
    ['schema.graphql', 'the GraphQL schema'],
    ['openapi.json', 'the REST API in OpenAPI 3.1'],
    ['collection.json', 'a Postman collection of both'],
    ...(hasEvents(schema) ? [['asyncapi.json', 'the events in AsyncAPI 3.1'] as const] : []),
    ['llms.txt', 'a list of all pages, for language models'],
    ['llms-full.txt', 'all pages in one text'],
  ];
}

/** The picture of the topology, whose parts link to their pages. */
export function graphPage({ schema, paths }: Reference, drawing: Drawing | undefined): Page {
  const label = 'The topology as a graph';
  const blocks: readonly Block[] =
    drawing === undefined
      ? [paragraph(['The topology is too large for one picture.'])]
      : [{ kind: 'picture', drawing, label, links: pictureLinks({ schema, paths }) }];
  const edges = allOperations(schema)
    .filter((operation) => operation.edges.length > 0)
    .map(
      (operation): Inlines => [
        ...edgesOf(operation),
        ' becomes ',
        pageLink(operation.name, paths.ofOperation(operation)),
      ],
    );
  return {
    path: 'graph',
    title: 'Graph',
    summary: 'the topology as a picture',
    blocks: [...blocks, ...section('Edges', edges.length === 0 ? [] : [list(edges)])],
  };
}

function edgesOf({ edges }: GqlOperation): Inlines {
  return edges.flatMap(({ edge, from, to }, at) => [
    ...(at === 0 ? [] : [', ']),
    code(`(${from.join(' | ')})-[:${edge}]->(${to})`),
  ]);
}

function pictureLinks({ schema, paths }: Pick<Reference, 'schema' | 'paths'>): PictureLinks {
  const nodes = new Map<string, string>();
  const { objects, interfaces = [], enums, scalars, inputs, problems = [] } = schema;
  for (const { name, node } of [...objects, ...interfaces, ...enums, ...scalars, ...inputs, ...problems]) {
    const path = paths.ofType(name);
    if (node !== undefined && path !== undefined) nodes.set(node.id, path);
  }
  return { nodes, lines: paths.all };
}

/** The page that searches. Its list is complete, so that it can be read without a script. */
export function searchPage(pages: readonly Page[]): Page {
  return {
    path: 'search',
    title: 'Search',
    summary: 'all operations, types and fields',
    blocks: [{ kind: 'search', entries: pages.flatMap(entriesOf) }],
  };
}

function entriesOf({ path, title, kind = '', summary, blocks }: Page): readonly SearchEntry[] {
  const members = blocks
    .flatMap((block) => (block.kind === 'table' ? block.rows : []))
    .flatMap(({ id, cells }) => {
      const [name] = cells[0] ?? [];
      if (id === undefined || name === undefined || typeof name === 'string') return [];
      const said = cells.at(-1) ?? [];
      const text = said.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
      return [
        { title: `${title}.${name.text}`, kind: memberKind(kind), summary: text, to: { page: path, id } },
      ];
    });
  return [{ title, kind, summary, to: { page: path } }, ...members];
}

function memberKind(kind: string): string {
  if (kind === 'enum') return 'value';
  return kind in operationFolders ? 'argument' : 'field';
}
