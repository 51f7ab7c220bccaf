import type { OpenAPIV3_1 } from 'openapi-types';
import { findIdLinks } from '../../api/chains/id-links.js';
import { linkArguments } from '../../api/chains/linked-arguments.js';
import { resultPointer } from '../../api/chains/result-pointer.js';
import { type DocumentedPath, hasContent, placeArguments, type RestRoute } from '../../api/rest-routes.js';
import { remember } from '../../graph/maps.js';
import { nullable } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';

type Links = Record<string, OpenAPIV3_1.LinkObject>;

/**
 * The links of the responses of operations to the operations that take an id of them in a path or a query string (OpenAPI 3.1,
 * section 4.8.20): the same ids that workflows hand on. A link cannot fill in a part of a body.
 *
 * @param ids the operation ids of the routes
 */
export function operationLinks(
  schema: GqlSchema,
  ids: ReadonlyMap<RestRoute, string>,
  namesInPaths: ReadonlyMap<RestRoute, DocumentedPath['nameOf']>,
): ReadonlyMap<GqlOperation, Links> {
  const found = new Map<GqlOperation, Links>();
  const ofTopology = ({ edges, renamed }: GqlOperation) => edges.length > 0 && renamed === undefined;
  const idLinks = findIdLinks({
    ...schema,
    queries: schema.queries.filter(ofTopology),
    mutations: schema.mutations.filter(ofTopology),
  });
  for (const [route, operationId] of ids) {
    const { operation } = route;
    if (operation.kind === 'subscription' || !ofTopology(operation)) continue;
    const { path, query } = placeArguments(route);
    const nameInPath = namesInPaths.get(route) ?? ((name: string) => name);
    const sent = new Map([
      ...path.map(({ name }) => [name, nameInPath(name)] as const),
      ...query.flatMap(({ name, type }) => (nullable(type).kind === 'list' ? [] : [[name, name] as const])),
    ]);
    for (const { link, path: place } of linkArguments(schema, operation, idLinks, () => '').places) {
      const { producer } = link;
      const parameter = place.length === 1 ? sent.get(place[0] as string) : undefined;
      if (parameter === undefined || producer === operation || !hasContent(producer)) continue;
      const links = remember(found, producer, (): Links => ({}));
      const pointer = `$response.body#/${resultPointer(schema, link)}`;
      const { parameters } = links[operationId] ?? {};
      links[operationId] = { operationId, parameters: { ...parameters, [parameter]: pointer } };
    }
  }
  return found;
}
