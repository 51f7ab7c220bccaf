import { hasEvents } from '../../compiler/emit/asyncapi.js';
import { ifGiven } from '../../compiler/graph/maps.js';
import { capitalized } from '../../compiler/graph/names.js';
import { allOperations, type GqlEdgeOrigin, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { routeText } from '../../compiler/schema/route-path.js';
import type { Drawing } from '../diagram/drawing.js';
import {
  type Block,
  code,
  facts,
  type Inlines,
  joined,
  list,
  type Page,
  type PictureLinks,
  pageLink,
  paragraph,
  section,
} from './page.js';
import { operationFolders } from './paths.js';
import { readInlines, readProse, summaryOf } from './prose.js';
import type { Reference } from './reference.js';

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
  const tables = kinds.map((kind) => {
    const own = pages.filter((page) => page.kind === kind);
    return [kind, pageTable(reference, kind, own)] as const;
  });
  return {
    path,
    title,
    summary: `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`,
    blocks: tables.flatMap(([kind, table]) =>
      tables.length === 1 ? [table] : section(`${capitalized(kind)}s`, [table]),
    ),
  };
}

function pageTable({ schema, paths }: Reference, label: string, pages: readonly Page[]): Block {
  const operations = allOperations(schema);
  const routes = new Map(operations.map((one) => [paths.ofOperation(one), routeText(one)]));
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

export function homePage(reference: Reference, areas: readonly Area[], further: readonly Page[]): Page {
  const { title, schema } = reference;
  const { info } = schema;
  const { version, contact, license, termsOfService } = info ?? {};
  return {
    path: 'index',
    title,
    summary: summaryOf(info?.description),
    blocks: [
      ...readProse(info?.description ?? ''),
      ...facts({
        Version: ifGiven(version, code),
        License: ifGiven(license, ({ name }) => name),
        Contact: ifGiven(contact, ({ name, email, url }) => [name, email, url].filter(Boolean).join(', ')),
        'Terms of service': readInlines(termsOfService === undefined ? '' : `<${termsOfService}>`),
      }),
      ...areas
        .filter(({ path }) => operationAreas.has(path))
        .flatMap((area) => section(area.title, [pageTable(reference, area.title, area.pages)])),
      ...section(
        'Everything',
        list([
          ...areas.map(({ title, path, pages }) => [pageLink(title, path, false), ` (${pages.length})`]),
          ...further.map((page) => [pageLink(page.title, page.path, false), `: ${page.summary}`]),
        ]),
      ),
      ...section('Downloads', list(downloadsOf(schema))),
    ],
  };
}

function downloadsOf(schema: GqlSchema): readonly Inlines[] {
  const files = {
    'schema.graphql': 'the GraphQL schema',
    'openapi.json': 'the REST API in OpenAPI 3.1',
    'collection.json': 'a Postman collection of both',
    ...(hasEvents(schema) && { 'asyncapi.json': 'the events in AsyncAPI 3.1' }),
    'llms.txt': 'a list of all pages, for language models',
  };
  return Object.entries(files).map(([file, content]) => [
    { kind: 'link', text: file, to: { file }, isCode: true },
    `: ${content}`,
  ]);
}

/** The picture of the topology; its parts link to their pages. */
export function graphPage({ schema, paths }: Reference, drawing: Drawing | undefined): Page {
  const label = 'The topology as a graph';
  const picture: Block =
    drawing === undefined
      ? paragraph('The topology is too large for one picture.')
      : { kind: 'picture', drawing, label, links: pictureLinks({ schema, paths }) };
  const written = ({ edge, from, to }: GqlEdgeOrigin) => code(`(${from.join(' | ')})-[:${edge}]->(${to})`);
  const edges = allOperations(schema)
    .filter((operation) => operation.edges.length > 0)
    .map((operation) => {
      const page = pageLink(operation.name, paths.ofOperation(operation));
      return [...joined(operation.edges.map(written)), ' becomes ', page];
    });
  return {
    path: 'graph',
    title: 'Graph',
    summary: 'the topology as a picture',
    blocks: [picture, ...section('Edges', list(edges))],
  };
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

/** All pages in one list. Without scripts, a search leads here; with them, every page finds members too. */
export function allPage(pages: readonly Page[]): Page {
  const items = pages.map(({ title, kind = '', summary, path }): Inlines => {
    const said = summary === '' ? kind : `${kind}: ${summary}`;
    return [pageLink(title, path, false), said === '' ? '' : ` (${said})`];
  });
  return { path: 'all', title: 'All pages', summary: 'all operations and types', blocks: list(items) };
}
