import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exampleArgument, exampleArguments } from '../../../src/compiler/api/examples.js';
import { printSelection } from '../../../src/compiler/api/print-selection.js';
import { restRoutes } from '../../../src/compiler/api/rest-routes.js';
import { defaultSelection } from '../../../src/compiler/api/selection.js';
import { baseName, printTypeRef, withBaseName } from '../../../src/compiler/graph/type-ref.js';
import type { GqlOperation } from '../../../src/compiler/schema/gql-schema.js';
import { inputTypeOf } from '../../../src/compiler/schema/schema-index.js';
import { queryPairs } from '../../../src/compiler/schema/wire.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { ask, post } from './topology-server.js';

const examples = ['docs/examples/service', 'docs/examples/parcel/main'];

for (const example of examples) {
  /** A server with data of its own: what is asked over one way must not show over the other. */
  const serveExample = async (way: string) => {
    const module = pathToFileURL(`${example}.resolvers.mjs`).href;
    const { default: resolvers }: { default: Resolvers } = await import(`${module}?${way}`);
    return createGqlServer({ topologies: [`${example}.gg`], resolvers });
  };
  const viaGraphQL = await serveExample('graphql');
  const viaRest = await serveExample('rest');
  const { schema } = viaRest;
  const routes = restRoutes(schema).filter(({ operation }) => operation.edges.length > 0);

  /** Asks for the default selection, as a client of GraphQL would write it. */
  const askGraphQL = async ({ kind, name, arguments: args, type }: GqlOperation) => {
    const variables = args.map((argument) => {
      const input = inputTypeOf(schema, baseName(argument.type));
      const written = input === undefined ? argument.type : withBaseName(argument.type, input.name);
      return `$${argument.name}: ${printTypeRef(written)}`;
    });
    const passed = args.map((argument) => `${argument.name}: $${argument.name}`);
    const selection = defaultSelection(schema, type);
    const query = `${kind} ${args.length === 0 ? '' : `(${variables})`} {
      ${name} ${args.length === 0 ? '' : `(${passed})`} ${selection === undefined ? '' : printSelection(selection)}
    }`;
    const { status, body } = await post(viaGraphQL, '/graphql', {
      query,
      variables: exampleArguments(schema, args),
    });
    return [status, body.errors ?? body.data[name]];
  };

  const askRest = async (operation: GqlOperation) => {
    const { kind, name, arguments: args } = operation;
    const pairs = args.flatMap((argument) => queryPairs(schema, argument, exampleArgument(schema, argument)));
    const { status, body } =
      kind === 'query'
        ? await ask(viaRest, `/api/${name}?${new URLSearchParams(pairs)}`)
        : await post(viaRest, `/api/${name}`, exampleArguments(schema, args));
    return [status, body];
  };

  describe(`${example}.gg`, () => {
    test.each(routes.map(({ operation }) => [operation.kind, operation.name, operation] as const))(
      'the %s %s has the same result over GraphQL and REST',
      async (_kind, _name, operation) => {
        const answer = await askRest(operation);
        expect(answer[0]).toBe(200);
        expect(answer[1]).not.toBeNull();
        expect(await askGraphQL(operation)).toEqual(answer);
      },
    );
  });
}
