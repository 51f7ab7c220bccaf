import { operationCoordinate } from '../../../src/compiler/api/operation-coordinate.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import type { OperationStatistics, StudioApi, StudioState } from '../../../src/tools/studio/protocol.js';
import { count } from '../../graph/live-graph.js';
import { callState, startCall } from '../../try/call-state.js';
import { durationText } from '../../try/exchange-view.js';
import { requestOf } from '../../try/request.js';
import { changesTitle } from '../changes.js';
import { live } from '../live.js';
import { openTab, openView, selection } from '../store.js';
import { PartLink } from './part-link.js';
import { ownTarget } from './try-tab.js';

interface Row {
  readonly operation: GqlOperation;
  readonly coordinate: string;
  readonly statistics: OperationStatistics | undefined;
}

/** The panel without a selection: the last minute of all operations, and a call to begin with. */
export function Landing({ state, api }: { readonly state: StudioState; readonly api: StudioApi }) {
  const { schema } = api;
  const rows: readonly Row[] = allOperations(schema).map((operation) => {
    const coordinate = operationCoordinate(operation);
    return { operation, coordinate, statistics: live.edge(coordinate).value.statistics };
  });
  const called = rows.flatMap(({ statistics }) => statistics ?? []);
  const calls = called.reduce((sum, one) => sum + one.calls, 0);
  const errors = called.reduce((sum, one) => sum + one.errors, 0);
  const [slowest] = [...called].sort((one, other) => other.p95 - one.p95);
  const example = exampleOf(api);
  return (
    <div class="panel landing">
      <h2>
        <bdi>{api.title}</bdi>
      </h2>
      <dl class="facts">
        <dt>Last minute</dt>
        <dd>
          {count(calls, 'call')}, {errors} with errors
        </dd>
        <dt>Slowest</dt>
        <dd>
          {slowest === undefined ? 'no calls yet' : <PartLink part={slowest.coordinate} tab="calls" />}
          {slowest === undefined ? '' : `, p95 ${durationText(slowest.p95)}`}
        </dd>
        <dt>Changes</dt>
        <dd>
          <button type="button" class="link" onClick={() => (openView.value = 'changes')}>
            {changesTitle()}
          </button>
        </dd>
      </dl>
      {example === undefined ? null : (
        <p>
          <button type="button" onClick={() => send(state, schema, example)}>
            Send example
          </button>{' '}
          <span class="quiet">
            calls <bdi>{example.name}</bdi>
          </span>
        </p>
      )}
      <table aria-label="Operations">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Calls/min</th>
            <th scope="col">p95</th>
            <th scope="col">Errors</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ coordinate, statistics }) => (
            <tr key={coordinate}>
              <th scope="row">
                <PartLink part={coordinate} />
              </th>
              <td>{statistics?.calls ?? 0}</td>
              <td>{statistics === undefined ? '–' : durationText(statistics.p95)}</td>
              <td class={statistics?.errors ? 'bad' : ''}>{statistics?.errors ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A query, which changes nothing: of the topology and with an answer, if there is one, and with few required arguments. */
function exampleOf({ schema, drawing, answeredBy }: StudioApi): GqlOperation | undefined {
  const drawn = new Set(drawing?.lines.map(({ coordinate }) => coordinate));
  const costOf = (operation: GqlOperation) => {
    const coordinate = operationCoordinate(operation);
    const needed = operation.arguments.filter(
      ({ type, fallback }) => type.kind === 'nonNull' && fallback === undefined,
    );
    return needed.length + (drawn.has(coordinate) ? 0 : 2000) + (coordinate in answeredBy ? 0 : 1000);
  };
  return [...schema.queries].sort((one, other) => costOf(one) - costOf(other))[0];
}

/** Calls an operation with the examples of its form. */
function send(state: StudioState, schema: GqlSchema, operation: GqlOperation): void {
  const own = callState(schema, operation);
  const target = ownTarget(state);
  startCall(own, schema, requestOf(schema, operation, own.form.value, target.endpoint), target);
  selection.value = { kind: 'edge', coordinate: operationCoordinate(operation) };
  openTab.value = 'try';
}
