import type { ArazzoStep } from '../../compiler/emit/arazzo/format.js';
import { operationIds } from '../../compiler/emit/openapi/operations.js';
import { perObject } from '../../compiler/graph/maps.js';
import type { GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';

/** Finds the operation of the schema that a step of one of its workflows calls. */
export const operationsOfSteps = perObject((schema: GqlSchema) => {
  const byId = new Map([...operationIds(schema)].map(([{ operation }, id]) => [id, operation]));
  return ({ operationId }: Pick<ArazzoStep, 'operationId'>): GqlOperation => byId.get(operationId) as GqlOperation;
});
