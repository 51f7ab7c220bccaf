import { operationAt } from '../../../src/compiler/api/operation-coordinate.js';
import {
  allOperations,
  type GqlOperation,
  type GqlSchema,
  type GqlUnionType,
} from '../../../src/compiler/schema/gql-schema.js';
import type { StudioApi, StudioState } from '../../../src/tools/studio/protocol.js';
import type { Selection } from '../store.js';

/** The selected part of the API. */
export type Subject =
  | { readonly kind: 'operation'; readonly operation: GqlOperation; readonly coordinate: string }
  | { readonly kind: 'union'; readonly union: GqlUnionType; readonly coordinate: string }
  /** A node: the types that come from it, and the operations whose edges begin or end there. */
  | {
      readonly kind: 'node';
      readonly id: string;
      readonly types: readonly string[];
      readonly operations: readonly GqlOperation[];
    };

/** What a tab shows. */
export interface TabProps {
  readonly state: StudioState;
  readonly api: StudioApi;
  readonly subject: Subject;
}

/** The part of the API that is selected; undefined if the API no longer has it. */
export function subjectOf(schema: GqlSchema, selection: Selection): Subject | undefined {
  if (selection.kind === 'node') return nodeSubject(schema, selection.id);
  const { coordinate } = selection;
  const operation = operationAt(schema, coordinate);
  if (operation !== undefined) return { kind: 'operation', operation, coordinate };
  const union = [...schema.unions, ...(schema.internal?.races ?? [])].find(({ name }) => name === coordinate);
  return union && { kind: 'union', union, coordinate };
}

function nodeSubject(schema: GqlSchema, id: string): Subject | undefined {
  const { objects, interfaces = [], inputs, enums, scalars, problems = [] } = schema;
  const types = [...objects, ...interfaces, ...inputs, ...enums, ...scalars, ...problems].filter(
    ({ node }) => node?.id === id,
  );
  const operations = allOperations(schema).filter(({ edges }) =>
    edges.some(({ from, to }) => to === id || from.includes(id)),
  );
  const isRaced = schema.unions.some(({ edges }) => edges.some(({ from, to }) => to === id || from.includes(id)));
  if (types.length === 0 && operations.length === 0 && !isRaced) return undefined;
  return { kind: 'node', id, types: [...new Set(types.map(({ name }) => name))], operations };
}
