import type { OpenAPIV3_1 } from 'openapi-types';
import { findIdLinks, linkedOperations, resultPointer } from '../../api/chains/id-links.js';
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
  const own = linkedOperations(schema);
  const consumers = new Set([...own.queries, ...own.mutations]);
  const idLinks = findIdLinks(own);
  for (const [route, operationId] of ids) {
    const { operation } = route;
    if (!consumers.has(operation)) continue;
    const { path, query } = placeArguments(route);
    const nameInPath = namesInPaths.get(route);
    for (const argument of path.length === 0 ? query : [...path, ...query]) {
      const { name, type, fallback } = argument;
      if (fallback !== undefined || nullable(type).kind === 'list') continue;
      const link = idLinks.forArgument(operation, name, type);
      if (link === undefined || link.producer === operation || !hasContent(link.producer)) continue;
      const links = remember(found, link.producer, (): Links => ({}));
      const { parameters } = links[operationId] ?? {};
      const parameter = path.includes(argument) ? (nameInPath?.(name) ?? name) : name;
      const pointer = `$response.body#/${resultPointer(schema, link)}`;
      links[operationId] = { operationId, parameters: { ...parameters, [parameter]: pointer } };
    }
  }
  return found;
}
