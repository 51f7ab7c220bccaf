import { exampleResult } from '../../api/examples.js';
import { operationCoordinate } from '../../api/operation-coordinate.js';
import { answerType } from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import { baseName, named, nonNull } from '../../graph/type-ref.js';
import { allOperations, type GqlSchema } from '../../schema/gql-schema.js';
import { typeSchema } from '../openapi/type-schema.js';
import type { SchemaComponents } from './draft-07.js';
import { operationOn } from './servers.js';

/**
 * The channels to external systems, by `{node}-{direction}`, and the operations of the server on them: it receives the
 * records that queries and subscriptions read, and sends those that mutations and FORK edges write. Their addresses are
 * unknown: they stay in the program that binds the channels.
 */
export function ioChannels(schema: GqlSchema, components: SchemaComponents) {
  const channels: Record<string, object> = {};
  const operations: Record<string, object> = {};
  if (schema.io === undefined) return { channels, operations };
  const known = new Map(allOperations(schema).map((operation) => [operationCoordinate(operation), operation]));
  for (const binding of schema.io) {
    const key = `${binding.node}-${binding.direction}`;
    const received = new Set<string>();
    const sent = new Set<string>();
    for (const { kind, name, access } of binding.operations) {
      const operation = known.get(operationCoordinate({ kind, name }));
      if (operation !== undefined) (access === 'write' ? sent : received).add(baseName(answerType(operation)));
    }
    const messages = [...new Set([...received, ...sent])].map(
      (type) => [type, recordMessage(schema, components, type)] as const,
    );
    channels[key] = {
      address: null,
      title: binding.node,
      summary: `The channel of the node ${binding.node} (${binding.transport}).`,
      messages: Object.fromEntries(messages),
      'x-io': binding,
    };
    if (received.size > 0) operations[`${key}-receive`] = operationOn('receive', key, received);
    if (sent.size > 0) operations[`${key}-send`] = operationOn('send', key, sent);
  }
  return { channels, operations };
}

function recordMessage(schema: GqlSchema, components: SchemaComponents, name: string): object {
  const type = nonNull(named(name));
  return {
    name,
    contentType: 'application/json',
    payload: components.convert(typeSchema(schema, type)),
    examples: [{ payload: exampleResult(schema, type, defaultSelection(schema, type)) }],
  };
}
