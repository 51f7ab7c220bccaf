import type { DocumentNode, FieldNode } from 'graphql';
import type { MetricAttributes, SvcMetrics, TallyCell } from '../../../base/tracing/svc-metrics.js';
import { remember } from '../../../compiler/graph/maps.js';
import { problemCodeOf } from '../../../compiler/graph/names.js';
import {
  allOperations,
  type GqlOperation,
  type GqlSchema,
  type OperationKind,
} from '../../../compiler/schema/gql-schema.js';
import { statuses } from '../../call/problem.js';
import { edgesOf } from '../../execute/errors/origin.js';
import { rootFieldsOf } from '../../limits/root-fields.js';
import type { LineWriter } from '../../logs/logs.js';
import { refusals } from '../../repeats/repeat-refused.js';

/** How an operation reached the server; `process` for calls of the program itself. */
export type Protocol = 'rest' | 'graphql' | 'sse' | 'ws' | 'mcp' | 'process';

interface LabelCells {
  readonly attributes: MetricAttributes;
  /** The same without the type, which the name implies: the SDK needs time for each attribute of a duration. */
  readonly duration: MetricAttributes;
  readonly requests: TallyCell | undefined;
  readonly delivered: TallyCell | undefined;
  /** The writers of its access lines, by the method of the request. */
  readonly writers: Map<string, LineWriter>;
}

/** An operation of the schema in metrics and logs. There is one for each operation, so clients cannot create series. */
export class OperationLabel {
  /** The series of the operation in the recorder: reached without a lookup for each call. */
  recorded: object | undefined;
  readonly #cells = new Map<string, LabelCells>();

  constructor(
    readonly name: string,
    readonly type: OperationKind,
    /** `root -[:PROCESS]-> read_user`; several edges are joined by `; `. */
    readonly edge: string,
    private readonly metrics: SvcMetrics | undefined,
  ) {}

  over(protocol: Protocol): LabelCells {
    let cells = this.#cells.get(protocol);
    if (cells === undefined) {
      const name = { 'gg.operation.name': this.name };
      const event = { ...name, 'gg.protocol': protocol };
      const place = { 'gg.protocol': protocol, ...(this.edge !== '' && { 'gg.edge': this.edge }) };
      const attributes = { ...name, 'gg.operation.type': this.type, ...place };
      cells = {
        attributes,
        duration: { ...name, ...place },
        requests: this.metrics?.operationRequests.cell(attributes),
        delivered: this.metrics?.eventsDelivered.cell(event),
        writers: new Map(),
      };
      this.#cells.set(protocol, cells);
    }
    return cells;
  }
}

export interface DocumentOperations {
  /** Each operation once, in the order of the document. */
  readonly labels: readonly OperationLabel[];
  /** By the keys of their values in the result. */
  readonly byKey: ReadonlyMap<string, OperationLabel>;
  readonly fields: readonly FieldNode[];
}

const nothing: DocumentOperations = { labels: [], byKey: new Map(), fields: [] };

export class OperationLabels {
  readonly #labels: ReadonlyMap<string, OperationLabel>;
  readonly #codes: ReadonlySet<string>;
  readonly #documents = new WeakMap<DocumentNode, Map<string, DocumentOperations>>();

  constructor(schema?: GqlSchema, metrics?: SvcMetrics) {
    const operations = schema && allOperations(schema);
    this.#labels = new Map(
      operations?.map((operation) => {
        const edges = edgesOf(schema as GqlSchema, operation).map(({ edge }) => edge);
        const label = new OperationLabel(operation.name, operation.kind, edges.join('; '), metrics);
        return [keyOf(operation), label];
      }),
    );
    this.#codes = new Set([...errorCodes, ...(schema?.problems ?? []).map(({ name }) => problemCodeOf(name))]);
  }

  find(operation: Pick<GqlOperation, 'kind' | 'name'>): OperationLabel | undefined {
    return this.#labels.get(keyOf(operation));
  }

  /** The code of an error as a type in metrics. A resolver may take its code from a client, so only known ones count. */
  typeOf(code: unknown): string {
    return typeof code === 'string' && this.#codes.has(code) ? code : '_OTHER';
  }

  /** The operations of the schema that a valid document runs. Computed once for each document. */
  operationsOf(document: DocumentNode, operationName: string | null | undefined): DocumentOperations {
    const known = remember(this.#documents, document, () => new Map<string, DocumentOperations>());
    let found = known.get(operationName ?? '');
    if (found === undefined) {
      found = this.#findOperations(document, operationName);
      // A client can send any name, but only those of the document are kept.
      if (found !== undefined) known.set(operationName ?? '', found);
    }
    return found ?? nothing;
  }

  #findOperations(document: DocumentNode, operationName: string | null | undefined) {
    const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
    const named = operations.find(({ name }) => name?.value === operationName);
    const operation = operationName ? named : operations.length === 1 ? operations[0] : undefined;
    if (operation === undefined) return undefined;
    const fields: FieldNode[] = [];
    const byKey = new Map<string, OperationLabel>();
    for (const field of rootFieldsOf(document, operation)) {
      // Introspection has no label.
      const label = this.find({ kind: operation.operation, name: field.name.value });
      if (label === undefined) continue;
      fields.push(field);
      byKey.set((field.alias ?? field.name).value, label);
    }
    return { labels: [...new Set(byKey.values())], byKey, fields };
  }
}

function keyOf({ kind, name }: Pick<GqlOperation, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/**
 * The codes of errors that this package gives to clients, on every way in. Those of declared errors are beside them, and
 * those of channels have no series of their own.
 */
export const errorCodes: readonly string[] = [
  ...[...statuses.keys()].map(String).filter((code) => !code.startsWith('GG')),
  ...Object.keys(refusals),
  'AUTHENTICATION_UNAVAILABLE',
  'BAD_REQUEST',
  'BATCHING_DISABLED',
  'BATCHING_LIMIT_EXCEEDED',
  'CSRF_PREVENTED',
  'DOCUMENT_TOO_NESTED',
  'EVENT_INCOMPLETE',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_STORE_FULL',
  'INTROSPECTION_DISABLED',
  'OPERATIONS_LIMIT_EXCEEDED',
  'PRECONDITION_REQUIRED',
  'RACE_FAILED',
  'RACE_NO_QUORUM',
  'RATE_LIMITED',
  'RATE_LIMITS_UNAVAILABLE',
  'SUBSCRIBER_TOO_SLOW',
  'UPLOAD_INTERRUPTED',
  'UPLOAD_INVALID',
  'UPLOAD_TOO_LARGE',
];
