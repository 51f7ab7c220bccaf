import { schemaToGraphQL } from '../../compiler/emit/graphql.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import type { GqlObjectType, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { codeBlock, type Page, paragraph } from './page.js';

/** The path of the one page of the federation layer, whose parts are the same on every server. */
export const federationPath = 'federation';

/** The types of the federation layer: no node of the topology declares them. */
export function federationTypes({ objects }: Pick<GqlSchema, 'objects'>): readonly GqlObjectType[] {
  return objects.filter(({ name, node }) => node === undefined && /^Federation[A-Z]/.test(name));
}

/** Undefined for an API without the federation layer. */
export function federationPage(schema: GqlSchema): Page | undefined {
  const objects = federationTypes(schema);
  if (objects.length === 0) return undefined;
  const names = new Set(objects.map(({ name }) => name));
  const none = { mutations: [], subscriptions: [], inputs: [], enums: [], scalars: [], unions: [] };
  const queries = schema.queries.filter(({ type }) => names.has(baseName(type)));
  const { interfaces: _, info: __, ...rest } = schema;
  return {
    path: federationPath,
    title: 'Federation',
    summary: 'the queries of the federation layer',
    blocks: [
      paragraph(
        'Every server that joins the federation answers these queries. They belong to no edge of the topology.',
      ),
      codeBlock('graphql', schemaToGraphQL({ ...rest, ...none, queries, objects }).trim(), 'Schema'),
    ],
  };
}
