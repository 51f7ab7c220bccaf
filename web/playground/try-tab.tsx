import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { operationCoordinate } from '../../src/compiler/api/operation-coordinate.js';
import type { GqlOperation } from '../../src/compiler/schema/gql-schema.js';
import { TryIt } from '../try/try-it.js';
import { apiOrigin, createWorkerApi } from './api-client.js';
import { resolvers, results, trustsResolvers } from './store.js';

/** Calls an operation of the topology, which a server in a worker answers. */
export function TryTab() {
  const coordinate = useSignal<string | undefined>(undefined);
  const shown = results.value;
  const module = trustsResolvers.value ? resolvers.value : undefined;
  const api = useMemo(() => shown && createWorkerApi(shown.files, module), [shown, module]);
  useEffect(() => () => api?.end(), [api]);
  if (shown === undefined || api === undefined) return null;
  const { schema } = shown;
  const groups = [
    { label: 'Queries', operations: schema.queries },
    { label: 'Mutations', operations: schema.mutations },
    { label: 'Subscriptions', operations: schema.subscriptions },
  ].filter(({ operations }) => operations.length > 0);
  const all: readonly GqlOperation[] = groups.flatMap(({ operations }) => operations);
  const operation = all.find((one) => operationCoordinate(one) === coordinate.value) ?? all[0];
  if (operation === undefined) return <p>The topology has no operations.</p>;
  return (
    <>
      {trustsResolvers.value ? null : <Consent />}
      <label class="operation">
        Operation{' '}
        <select
          value={operationCoordinate(operation)}
          onChange={({ currentTarget }) => (coordinate.value = currentTarget.value)}
        >
          {groups.map(({ label, operations }) => (
            <optgroup key={label} label={label}>
              {operations.map((one) => (
                <option key={one.name} value={operationCoordinate(one)}>
                  {one.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <TryIt
        schema={schema}
        operation={operation}
        target={{ fetch: api.fetch, origin: apiOrigin, endpoint: '/graphql' }}
      />
    </>
  );
}

/** Resolvers of a link are code of its sender. */
function Consent() {
  return (
    <p class="consent">
      The link brought resolvers, which are JavaScript. They do not run yet: without them, only constants are served.
      Resolvers run in a worker without network.{' '}
      <button type="button" onClick={() => (trustsResolvers.value = true)}>
        Run the resolvers of this link
      </button>
    </p>
  );
}
