import type { DocumentNode, FieldNode, SelectionSetNode } from 'graphql';
import { edgesOf } from '../../execute/errors/origin.js';
import { problemCodeOf } from '../../graph/names.js';
import type { LineWriter } from '../../logs/logs.js';
import {
  allOperations,
  type GqlOperation,
  type GqlSchema,
  type OperationKind,
} from '../../schema/gql-schema.js';
import type { MetricAttributes, SvcMetrics, TallyCell } from '../../tracing/svc-metrics.js';
import { errorCodes } from './error-codes.js';

/** How an operation reached the server; `process` for calls of the program itself. */
export type Protocol = 'rest' | 'graphql' | 'sse' | 'ws' | 'mcp' | 'process';

/** The measurements of an operation over one protocol. */
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
  /** What the recorder keeps of the operation: reached without a lookup for each call. */
  recorded: object | undefined;
  readonly #cells = new Map<string, LabelCells>();

  constructor(
    readonly name: string,
    readonly type: OperationKind,
    /** `root -[:PROCESS]-> read_user`; several edges are joined by `; `. */
    readonly edge: string,
    private readonly metrics: SvcMetrics | undefined,
  ) {}

  /** The attributes and counts of its measurements. */
  over(protocol: Protocol): LabelCells {
    let cells = this.#cells.get(protocol);
    if (cells === undefined) {
      const attributes = {
        'gg.operation.name': this.name,
        'gg.operation.type': this.type,
        'gg.protocol': protocol,
        ...(this.edge === '' ? {} : { 'gg.edge': this.edge }),
      };
      const { 'gg.operation.type': _, ...duration } = attributes;
      const event = { 'gg.operation.name': this.name, 'gg.protocol': protocol };
      cells = {
        attributes,
        duration,
        requests: this.metrics?.operationRequests.cell(attributes),
        delivered: this.metrics?.eventsDelivered.cell(event),
        writers: new Map(),
      };
      this.#cells.set(protocol, cells);
    }
    return cells;
  }
}

/** What a document runs. */
export interface DocumentOperations {
  /** Each operation once, in the order of the document. */
  readonly labels: readonly OperationLabel[];
  /** By the keys of their values in the result. */
  readonly byKey: ReadonlyMap<string, OperationLabel>;
  /** The fields of the root type. */
  readonly fields: readonly FieldNode[];
}

const nothing: DocumentOperations = { labels: [], byKey: new Map(), fields: [] };

/** The labels of all operations of a schema. */
export class OperationLabels {
  readonly #labels: ReadonlyMap<string, OperationLabel>;
  readonly #codes: ReadonlySet<string>;
  readonly #documents = new WeakMap<DocumentNode, Map<string, DocumentOperations>>();

  constructor(schema?: GqlSchema, metrics?: SvcMetrics) {
    const operations = schema && allOperations(schema);
    this.#labels = new Map(
      operations?.map((operation) => [keyOf(operation), labelOf(schema as GqlSchema, operation, metrics)]),
    );
    this.#codes = new Set([
      ...errorCodes,
      ...(schema?.problems ?? []).map(({ name }) => problemCodeOf(name)),
    ]);
  }

  find(operation: Pick<GqlOperation, 'kind' | 'name'>): OperationLabel | undefined {
    return this.#labels.get(keyOf(operation));
  }

  /** Whether a code of an error is one of a known set. A resolver may take its code from a client. */
  knowsCode(code: string): boolean {
    return this.#codes.has(code);
  }

  /** The operations of the schema that a valid document runs. Computed once for each document. */
  operationsOf(document: DocumentNode, operationName: string | null | undefined): DocumentOperations {
    let known = this.#documents.get(document);
    if (known === undefined) {
      known = new Map();
      this.#documents.set(document, known);
    }
    let found = known.get(operationName ?? '');
    if (found === undefined) {
      found = this.#findOperations(document, operationName);
      // A client can send any name, but only those of the document are kept.
      if (found !== undefined) known.set(operationName ?? '', found);
    }
    return found ?? nothing;
  }

  #findOperations(
    document: DocumentNode,
    operationName: string | null | undefined,
  ): DocumentOperations | undefined {
    const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
    const operation =
      (operationName ?? '') === ''
        ? operations.length === 1
          ? operations[0]
          : undefined
        : operations.find(({ name }) => name?.value === operationName);
    if (operation === undefined) return undefined;
    const fields: FieldNode[] = [];
    const byKey = new Map<string, OperationLabel>();
    const seen = new Set<string>();
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === 'InlineFragment') collect(selection.selectionSet);
        else if (selection.kind === 'FragmentSpread') {
          const { value } = selection.name;
          if (seen.has(value)) continue;
          seen.add(value);
          for (const definition of document.definitions) {
            if (definition.kind === 'FragmentDefinition' && definition.name.value === value)
              collect(definition.selectionSet);
          }
        } else {
          // Introspection has no label.
          const label = this.find({ kind: operation.operation, name: selection.name.value });
          if (label === undefined) continue;
          fields.push(selection);
          byKey.set((selection.alias ?? selection.name).value, label);
        }
      }
    };
    collect(operation.selectionSet);
    return { labels: [...new Set(byKey.values())], byKey, fields };
  }
}

function keyOf({ kind, name }: Pick<GqlOperation, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

function labelOf(
  schema: GqlSchema,
  operation: GqlOperation,
  metrics: SvcMetrics | undefined,
): OperationLabel {
  const edge = edgesOf(schema, operation).map((reference) => reference.edge);
  return new OperationLabel(operation.name, operation.kind, edge.join('; '), metrics);
}
