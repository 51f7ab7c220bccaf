import { readFileSync } from 'node:fs';
import type { SourceInput } from '../../../../src/compiler/analyze.js';
import { allOperations } from '../../../../src/compiler/schema/gql-schema.js';
import { sqliteStore } from '../../../../src/index.js';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { type Documents, documentsOf, resolversOf, sourcesOf } from '../served-example.js';
import { type Callers, caller } from './ask-as.js';

/** A server that has lost a check, and the check in a few words. */
export interface Removal {
  readonly lost: string;
  readonly served: () => Promise<Partial<GqlServerOptions<never>>>;
}

/** An API with access settings, the users that try it, and all the checks that it can lose. */
export interface GuardedExample {
  readonly name: string;
  readonly sources: readonly SourceInput[];
  readonly callers: readonly Callers[];
  readonly served: () => Promise<Partial<GqlServerOptions<never>>>;
  readonly removals: readonly Removal[];
}

const store = () => sqliteStore({ file: ':memory:' });

/** The settings and tags of access in a topology, each with the text without it. */
function removalsIn(source: string): { readonly lost: string; readonly text: string }[] {
  const setting = /\b(?:owner: '\w+'|(?:roles|scopes|anyScope): \[[^\]]*\]|auth: 'required'),?/g;
  const tag = /\/\/\/ @(?:owner|roles|scopes|anyScope|auth) [^\n]*/g;
  return [...source.matchAll(setting), ...source.matchAll(tag)].map((match) => {
    const [found] = match;
    const { index } = match;
    const line = source.slice(0, index).split('\n').length;
    const after = source.slice(index);
    const operation = /operation: '(\w+)'/.exec(source.slice(source.lastIndexOf('-[:', index), index))?.[1];
    const place = operation ?? /\]->\((\w+)|(\w+)(?=:)/.exec(after)?.[0];
    // An edge without a setting still says that callers may authenticate.
    const rest = found.startsWith('///') ? '' : `auth: '${found.startsWith('auth') ? 'optional' : 'required'}',`;
    const others = /\{[^{}]*$/.exec(source.slice(0, index))?.[0] ?? '';
    const isLast = !/(?:owner|roles|scopes|anyScope):/.test(
      others + (/^[^{}]*\}/.exec(after.slice(found.length))?.[0] ?? ''),
    );
    const text = source.slice(0, index) + (found.startsWith('///') || isLast ? rest : '') + after.slice(found.length);
    return { lost: `${found.replace(/,$/, '')} of ${place} (line ${line})`, text };
  });
}

function topologyExample(
  name: string,
  source: string,
  callers: readonly Callers[],
  served: () => Promise<Partial<GqlServerOptions<never>>>,
  further: readonly Removal[] = [],
): GuardedExample {
  const file = `${name}.gg`;
  const removals = removalsIn(source).map(({ lost, text }) => {
    const topologies = [{ name: file, source: text }];
    return { lost, served: async () => ({ ...(await served()), topologies }) };
  });
  return { name, sources: [{ name: file, source }], callers, served, removals: [...removals, ...further] };
}

/** The clinic of the documentation, over the store. */
export function clinic(): GuardedExample {
  const file = 'docs/examples/clinic/clinic.gg';
  const owners = { exempt: ['staff'] };
  const helpers = [caller('desk', ['staff']), caller('chief', ['staff', 'doctor'])];
  const callers = [
    { users: [caller('ada', ['patient']), caller('eve', ['patient'])], helpers, owners },
    { users: [caller('grey', ['doctor']), caller('house', ['doctor'])], helpers, owners },
    {
      users: [caller('ada', ['patient']), caller('desk', ['staff'])],
      helpers: [caller('chief', ['staff', 'doctor'])],
      owners,
    },
  ];
  const served = async () => ({ resolvers: (await resolversOf(file)) as never, store: store() });
  const withoutFilter = async () => {
    const text = readFileSync('docs/examples/clinic/clinic.resolvers.mjs', 'utf8').replace(
      ".where('patientId', '=', patientId)",
      '',
    );
    const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    return { resolvers: module.default as never, store: store() };
  };
  return topologyExample('clinic', readFileSync(file, 'utf8'), callers, served, [
    { lost: 'the patient in the statement of cancel', served: withoutFilter },
  ]);
}

/** A topology of the documentation without access settings: each of its operations gets one. */
export async function withScopes(name: string, file: string): Promise<GuardedExample> {
  const plain = sourcesOf(file);
  const { schema } = documentsOf(plain) as Documents;
  const operations = allOperations(schema).filter(({ edges }) => edges.length > 0);
  const words = (operation: string, at: number) =>
    [`scopes: ['${operation}']`, `roles: ['${operation}']`, `anyScope: ['${operation}', 'all']`, "auth: 'required'"][
      at % 4
    ] as string;
  /** The topology with settings at these operations. */
  const settle = (chosen: ReadonlyMap<string, string>): readonly SourceInput[] =>
    plain.map(({ name: source, source: text }) => {
      const edges = operations.flatMap(({ name: operation, edges: all }) =>
        all
          .filter(({ span }) => span.file === source)
          .map(({ span }) => ({ span, word: chosen.get(operation) ?? "auth: 'optional'" })),
      );
      let changed = text;
      for (const { span, word } of edges.toSorted((one, other) => other.span.start - one.span.start)) {
        const edge = changed.slice(span.start, span.end);
        const set = edge.replace(/-\[:(\w+)(?:\s*\{)?/, (all, type: string) =>
          all.endsWith('{') ? `-[:${type} { ${word}, ` : `-[:${type} { ${word} }`,
        );
        changed = changed.slice(0, span.start) + set + changed.slice(span.end);
      }
      return { name: source, source: changed };
    });
  const chosen = new Map<string, string>();
  for (const [at, operation] of operations.entries()) {
    const next = new Map(chosen).set(operation.name, words(operation.name, at));
    if (documentsOf(settle(next)) !== undefined) chosen.set(operation.name, words(operation.name, at));
  }
  const names = operations.map((operation) => operation.name);
  const resolvers = async () => ({ resolvers: (await resolversOf(file)) as Resolvers as never });
  return {
    name,
    sources: settle(chosen),
    callers: [{ users: [caller('ada', names, names), caller('eve')] }],
    served: resolvers,
    removals: [...chosen].map(([operation, word]) => {
      const topologies = settle(new Map([...chosen].filter(([one]) => one !== operation)));
      return {
        lost: `${word} of ${operation}`,
        served: async () => ({ ...(await resolvers()), topologies }),
      };
    }),
  };
}

const ordersTopology = `
/// An order of a customer.
/// @owner customerId
(order: Stored { id: ID!, customerId: ID!, total: Float!, note: String })
(label: Stored { id: ID!, orderId: ID!, customerId: ID!, text: String!,
  /// @scopes costs:read
  cost: Float,
  /// @owner customerId
  pin: String,
})
(ticket { id: ID!, by: ID!, text: String! })
(draft { id: ID!, customerId: ID!, text: String! })

(shop)-[:FOLD { operation: 'placeOrder', customerId: ID!, total: Float!, note: String, owner: 'customerId', returns: Order! }]->(order)
(shop)-[:PROCESS { operation: 'order', id: ID!, auth: 'required', returns: Order }]->(order)
(shop)-[:PROCESS { operation: 'orders', customerId: ID!, owner: 'customerId', returns: [Order!]!, page: 10 }]->(order)
(shop)-[:FOLD { operation: 'changeNote', id: ID!, customerId: ID!, note: String!, owner: 'customerId', returns: Order, writes: 'update' }]->(order)
(shop)-[:FOLD { operation: 'dropOrder', id: ID!, customerId: ID!, owner: 'customerId', returns: Boolean!, writes: 'delete', route: 'DELETE /api/orders/{id}' }]->(dropped_order { id: ID! })
(order)-[:FORK { operation: 'orderPlaced', customerId: ID!, owner: 'customerId' }]->(placed: Event { id: ID!, customerId: ID! })

(shop)-[:FOLD { operation: 'printLabel', orderId: ID!, customerId: ID!, text: String!, cost: Float, pin: String, scopes: ['labels:write'], owner: 'customerId', returns: Label! }]->(label)
(shop)-[:PROCESS { operation: 'label', id: ID!, roles: ['clerk', 'customer'], open: 'labels are on the parcels', returns: Label }]->(label)

(shop)-[:FOLD { operation: 'openTicket', text: String!, auth: 'required', returns: Ticket! }]->(ticket)
(shop)-[:PROCESS { operation: 'ticket', id: ID!, auth: 'required', returns: Ticket }]->(ticket)
(shop)-[:FOLD { operation: 'closeTicket', id: ID!, auth: 'required', returns: Ticket }]->(closed_ticket { id: ID! })
(shop)-[:FOLD { operation: 'saveDraft', customerId: ID!, text: String!, owner: 'customerId', returns: Draft! }]->(draft)
(shop)-[:PROCESS { operation: 'draft', id: ID!, owner: 'customerId', returns: Draft }]->(draft)
(shop)-[:FOLD { operation: 'refund', orderId: ID!, amount: Float!, roles: ['clerk'], anyScope: ['refunds:write', 'all'], returns: Boolean! }]->(refunded { id: ID! })
`;

/** Orders with owners over the store, and tickets and drafts of resolvers, which guards protect. */
export function orders(): GuardedExample {
  const parts = (lost?: string) => {
    const tickets = new Map<string, { id: string; by: string; text: string }>();
    const drafts = new Map<string, object>();
    const isOwn = ({ principal, arguments: { id } }: never) =>
      tickets.get(id)?.by === (principal as { id: string } | null)?.id;
    const resolvers = {
      Mutation: {
        openTicket: (_: unknown, { text }: { text: string }, { principal }: { principal: { id: string } | null }) => {
          const ticket = { id: `t${tickets.size + 1}`, by: principal?.id ?? 'nobody', text };
          tickets.set(ticket.id, ticket);
          return ticket;
        },
        closeTicket: (_: unknown, { id }: { id: string }, { principal }: { principal: { id: string } | null }) => {
          const ticket = tickets.get(id);
          if (lost === 'check' ? false : ticket?.by !== principal?.id) return null;
          tickets.delete(id);
          return ticket;
        },
        saveDraft: (_: unknown, given: object) => {
          const draft = { id: `d${drafts.size + 1}`, ...given };
          drafts.set(draft.id, draft);
          return draft;
        },
        refund: () => true,
      },
      Query: {
        ticket: (_: unknown, { id }: { id: string }) => tickets.get(id) ?? null,
        draft: (_: unknown, { id }: { id: string }) => drafts.get(id) ?? null,
      },
    };
    const guards = { Query: { ...(lost === 'guard' ? {} : { ticket: isOwn }) } };
    return Promise.resolve({ resolvers, guards, store: store() } as never);
  };
  const owners = { exempt: ['boss'] };
  const may = ['labels:write', 'costs:read', 'refunds:write'];
  const callers = [
    {
      users: [caller('ada', ['customer', 'clerk'], may), caller('eve', ['customer'], ['labels:write'])],
      owners,
    },
    { users: [caller('ada', ['customer', 'clerk'], may), caller('eve', ['customer', 'clerk'], may)], owners },
    {
      users: [caller('ada', ['customer', 'clerk'], may), caller('kim', ['guest'], ['refunds:write'])],
      owners,
    },
    { users: [caller('ada', ['customer', 'clerk'], may), caller('joe', ['clerk'])], owners },
  ];
  return topologyExample('orders', ordersTopology, callers, () => parts(), [
    { lost: 'the guard of ticket', served: () => parts('guard') },
    { lost: 'the check in the resolver of closeTicket', served: () => parts('check') },
  ]);
}
