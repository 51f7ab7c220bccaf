// Read by the compiler alone: `typescript.test.ts` and `npm run typecheck` hold it to be without errors. What
// follows `@ts-expect-error` must not compile; if it did, the comment itself would be the error.

import { GraphQLScalarType } from 'graphql';
import type * as Parcel from '../../../../docs/examples/parcel/main.types.js';
import type { CompleteResolvers, ReadUser, Resolvers, Rest } from '../../../../docs/examples/service.types.js';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';

interface Context {
  readonly caller: string;
}

const topologies = ['docs/examples/service.gg'];

// What is right compiles, written in place or beforehand, at once or later.

createGqlServer<Context, Resolvers<Context>>({
  topologies,
  context: { caller: 'Ada' },
  resolvers: {
    Query: {
      readUser: (_parent, { id }, { caller }) => ({ id, name: caller }),
      scanResult: async (_parent, { url }, _context, info) => ({
        url: url + info.fieldName,
        verdict: { __typename: 'FreshVerdict', clean: true, tookMs: 5 },
      }),
    },
    Mutation: { saveUser: (_parent, { input }) => ({ id: 7, name: input?.name ?? '' }) },
    Subscription: {
      async *userSaved() {
        yield { id: '1', name: 'Ada' };
        yield { userSaved: { id: '2', name: 'Grace' } };
      },
    },
    ReadUser: { name: (parent) => parent.name.trim(), __isTypeOf: (value) => value !== null },
    VerdictRace: { __resolveType: () => 'CachedVerdict' },
  },
});

const typed = createGqlServer<Context, Resolvers<Context>>({ topologies });
typed.publish('userSaved', { id: '1', name: 'Ada' });
typed.publish('userSaved', null);
const server: GqlServer<Context> = typed;

const written: Resolvers = { Query: { readUser: { id: '1', name: 'Ada', status: 'ACTIVE' } } };
createGqlServer({ topologies, resolvers: written });

const parcel: Parcel.Resolvers = {
  DateTime: new GraphQLScalarType<string, string>({ name: 'DateTime' }),
  Query: { listDepots: (_parent, { near, withinKm }) => (near && withinKm ? [] : []) },
  Subscription: {
    courierMoved: {
      subscribe: async function* (_parent, { courierId }) {
        yield courierId ?? 'nobody';
      },
      resolve: (event: string) => ({ courierId: event, position: { latitude: 0, longitude: 0 } }),
    },
  },
};

// Guards know the arguments of their operations.

createGqlServer<Context, Resolvers<Context>>({
  topologies,
  guards: {
    Query: {
      readUser: ({ arguments: { id }, principal }) => id.trim() === principal?.id,
      // @ts-expect-error -- the argument is unknown
      scanResult: async ({ arguments: { key } }) => key === '',
    },
    Mutation: {
      // @ts-expect-error -- a guard returns a boolean
      saveUser: ({ arguments: { input } }) => input?.name,
    },
  },
});
createGqlServer<unknown, Parcel.Resolvers>({
  topologies,
  // @ts-expect-error -- the operation is unknown
  guards: { Query: { listDepts: () => true } },
});
createGqlServer<unknown, Parcel.Resolvers>({
  topologies,
  guards: { Subscription: { courierMoved: ({ arguments: { courierId } }) => courierId?.trim() === '' } },
});
createGqlServer({ topologies, guards: { Query: { readUser: ({ arguments: { id } }) => id === '1' } } });

// Without generated types, anything goes that went before.

createGqlServer<Context>({
  topologies,
  resolvers: { Query: { whatever: (_parent, { id }, { caller }) => [id, caller], constant: 5 } },
}).publish('whatever', 5);

// A wrong argument.

createGqlServer<Context, Resolvers<Context>>({
  topologies,
  resolvers: {
    Query: {
      // @ts-expect-error -- there is no argument of this name
      readUser: (_parent, { key }) => ({ id: key, name: 'Ada' }),
      // @ts-expect-error -- the argument is a text
      scanResult: (_parent, args: { url: number }) => ({ url: String(args.url) }),
    },
    Mutation: {
      // @ts-expect-error -- the input may be left out
      saveUser: (_parent, { input }) => ({ id: '1', name: input.name ?? '' }),
    },
  },
});

// A wrong context.

createGqlServer<Context, Resolvers<Context>>({
  topologies,
  resolvers: {
    Query: {
      // @ts-expect-error -- the context has no such field
      readUser: (_parent, { id }, { called }) => ({ id, name: called }),
    },
  },
});

// A missing field, a field of another type, a result that is none.

const missing: Resolvers = {
  Query: {
    // @ts-expect-error -- the name is missing
    readUser: (_parent, { id }) => ({ id }),
    // @ts-expect-error -- so it is in what comes later
    scanResult: async () => ({}),
  },
  Mutation: {
    // @ts-expect-error -- a name is a text
    saveUser: () => ({ id: '1', name: 5 }),
  },
};

const wrongEnum: Resolvers = {
  // @ts-expect-error -- an enum has no other value
  Query: { readUser: { id: '1', name: 'Ada', status: 'GONE' } },
};

// A wrong union member.

const wrongMembers: Resolvers[] = [
  {
    Query: {
      // @ts-expect-error -- no member has this name
      scanResult: (_parent, { url }) => ({ url, verdict: { __typename: 'Verdict', clean: true, tookMs: 5 } }),
    },
  },
  {
    Query: {
      // @ts-expect-error -- the other member has this field
      scanResult: (_parent, { url }) => ({
        url,
        verdict: { __typename: 'FreshVerdict', clean: true, reachedAt: '' },
      }),
    },
  },
  {
    Query: {
      // @ts-expect-error -- it does not say which member it is
      scanResult: (_parent, { url }) => ({ url, verdict: { clean: true, tookMs: 5 } }),
    },
  },
  // @ts-expect-error -- a member of another union
  { VerdictRace: { __resolveType: () => 'VanLeg' } },
];

// A wrong subscription payload.

const wrongPayloads: Resolvers[] = [
  {
    Subscription: {
      // @ts-expect-error -- the name is missing
      async *userSaved() {
        yield { id: '1' };
      },
    },
  },
  {
    Subscription: {
      // @ts-expect-error -- it is missing in what is held under the name, too
      async *userSaved() {
        yield { userSaved: { id: '1' } };
      },
    },
  },
  {
    Subscription: {
      // @ts-expect-error -- what is made of an event is a payload
      userSaved: {
        subscribe: async function* () {
          yield 5;
        },
        resolve: (event: number) => ({ id: event }),
      },
    },
  },
  // @ts-expect-error -- a subscription is a stream
  { Subscription: { userSaved: () => ({ id: '1', name: 'Ada' }) } },
];

// @ts-expect-error -- the name is missing
typed.publish('userSaved', { id: '1' });
// @ts-expect-error -- a promise is no payload
typed.publish('userSaved', Promise.resolve({ id: '1', name: 'Ada' }));
// @ts-expect-error -- no such subscription
typed.publish('userSavd', { id: '1', name: 'Ada' });

// Names that are none.

const wrongNames: Resolvers[] = [
  // @ts-expect-error -- no such query
  { Query: { readUsr: () => null } },
  // @ts-expect-error -- no such field
  { ReadUser: { initial: () => 'A' } },
  // @ts-expect-error -- no such type
  { Reader: {} },
];

// All that nothing else answers.

// @ts-expect-error -- scanResult is missing
const incomplete: CompleteResolvers = { Query: { readUser: () => null }, Mutation: { saveUser: () => null } };
const complete: CompleteResolvers = {
  Query: { readUser: () => null, scanResult: () => null },
  Mutation: { saveUser: () => null },
};

// Rows in the place of types.

interface Row {
  readonly key: number;
  readonly name: string;
}
const ofRows: Resolvers<Context, { ReadUser: Row }> = {
  Query: { readUser: (_parent, { id }) => ({ key: Number(id), name: 'Ada' }) },
  ReadUser: { id: (row) => row.key },
};
// @ts-expect-error -- a row has no id, so that needs a resolver
const withoutKey: Resolvers<Context, { ReadUser: Row }> = { Query: { readUser: () => null } };
// @ts-expect-error -- no type has this name
const ofNothing: Resolvers<Context, { Reader: Row }> = {};
// @ts-expect-error -- a row of a union does not say what it is
const ofUnion: Resolvers<Context, { VerdictRace: Row }> = { Query: { scanResult: () => null } };
const ofUnions: Resolvers<Context, { VerdictRace: Row }> = {
  Query: { scanResult: (_parent, { url }) => ({ url, verdict: { key: 1, name: 'x' } }) },
  VerdictRace: { __resolveType: (row) => (row.key > 0 ? 'FreshVerdict' : 'CachedVerdict') },
};

// A batch resolver gets keys, and returns a value for each.

interface InvoiceRow {
  readonly id: string;
}
type WithInvoices = Parcel.Resolvers<Context, { InvoicePaid: InvoiceRow }>['Invoice'];
const batched: WithInvoices = {
  lines: { batch: async (ids, { caller }) => ids.map((id) => (id === caller ? new Error('no') : [])) },
  total: { batch: (ids) => ids.map((id) => ({ minor: id.length, currency: 'EUR' })) },
};
// @ts-expect-error -- a total is no text
const wrongBatch: WithInvoices = { total: { batch: (ids) => ids } };
// @ts-expect-error -- a batch resolver returns an array
const noBatch: WithInvoices = { total: { batch: () => ({ minor: 1, currency: 'EUR' }) } };
const batchOfEnum: WithInvoices = { status: { batch: (ids) => ids.map(() => 'PAID' as const) } };
// @ts-expect-error -- an id is no status
const wrongBatchOfEnum: WithInvoices = { status: { batch: (ids: readonly string[]) => ids } };
// @ts-expect-error -- the id is the key
const batchOfKey: WithInvoices = { id: { batch: (ids: readonly string[]) => ids } };

// A REST client.

type Get<Path extends keyof Rest.Paths> = Rest.Paths[Path] extends { readonly get: infer Method } ? Method : never;
const parameters: Get<'/api/readUser'>['parameters'] = { id: '1' };
// @ts-expect-error -- the id is missing
const noParameters: Get<'/api/readUser'>['parameters'] = {};
const body: Rest.Paths['/api/saveUser']['post']['body'] = { input: { name: 'Ada' } };
// @ts-expect-error -- a name is a text
const wrongBody: Rest.Paths['/api/saveUser']['post']['body'] = { input: { name: 5 } };
// @ts-expect-error -- a query has no body
type NoBody = Rest.Paths['/api/readUser']['get']['body'];

export function describeAnswer(answer: Get<'/api/scanResult'>['answer']): string {
  if (answer?.verdict == null) return 'nothing';
  const { verdict } = answer;
  // @ts-expect-error -- only one member has this field
  if (verdict.tookMs > 5) return 'slow';
  return verdict.__typename === 'CachedVerdict' ? verdict.reachedAt : `${verdict.tookMs} ms`;
}

export const all = [
  server,
  parcel,
  missing,
  wrongEnum,
  wrongMembers,
  wrongPayloads,
  wrongNames,
  incomplete,
  complete,
  ofRows,
  withoutKey,
  ofNothing,
  ofUnion,
  ofUnions,
  batched,
  wrongBatch,
  noBatch,
  batchOfEnum,
  wrongBatchOfEnum,
  batchOfKey,
  parameters,
  noParameters,
  body,
  wrongBody,
];
export type Unused = NoBody | ReadUser;
