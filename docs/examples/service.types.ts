// Made by gg-svc from a topology. Whatever is changed here is lost when it is made again.
/* eslint-disable */

import type { GraphQLResolveInfo } from 'graphql';

/** Whether a user may sign in. */
export type UserStatus = 'ACTIVE' | 'SUSPENDED';

/** A user, as it is read. */
export interface ReadUser {
  /** The key of the user. */
  readonly id: string | number;
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly status?: UserStatus | undefined;
}

/** What a scan says of an address. */
export interface ScanResult<Rows = unknown> {
  readonly url: string;
  /** The first of the two verdicts to arrive. */
  readonly verdict?: Given<Rows, 'VerdictRace', VerdictRace<Rows>> | null | undefined;
}

/** A verdict that was reached before. */
export interface CachedVerdict {
  readonly clean: boolean;
  readonly reachedAt: string;
}

/** A verdict that was reached just now. */
export interface FreshVerdict {
  readonly clean: boolean;
  readonly tookMs: number;
}

/** A user, as it was saved. */
export interface SaveUser {
  readonly id: string | number;
  readonly name: string;
  readonly email?: string | null | undefined;
}

/** What subscribers hear when a user was saved. */
export interface UserSaved {
  readonly id: string | number;
  readonly name: string;
}

/** Union (race) of cached_verdict | fresh_verdict for verdict */
export type VerdictRace<Rows = unknown> =
  | Member<'CachedVerdict', Given<Rows, 'CachedVerdict', CachedVerdict>>
  | Member<'FreshVerdict', Given<Rows, 'FreshVerdict', FreshVerdict>>;

/** What a caller says of a user: an id for one that is there, none for a new one. */
export interface InputUserInput {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** The arguments of each query. */
export interface QueryArguments {
  /** Query from topology edge root to read_user */
  readonly readUser: {
    readonly id: string;
  };
  /** Query from topology edge request to scan_result */
  readonly scanResult: {
    /** The address to scan. */
    readonly url: string;
  };
}

/** What each query returns. */
export interface QueryResults<Rows = unknown> {
  /** Query from topology edge root to read_user */
  readonly readUser: Given<Rows, 'ReadUser', ReadUser> | null | undefined;
  /** Query from topology edge request to scan_result */
  readonly scanResult: Given<Rows, 'ScanResult', ScanResult<Rows>> | null | undefined;
}

/** The arguments of each mutation. */
export interface MutationArguments {
  /** Mutation (fold) from input_user to save_user */
  readonly saveUser: {
    readonly input?: InputUserInput | null | undefined;
  };
}

/** What each mutation returns. */
export interface MutationResults<Rows = unknown> {
  /** Mutation (fold) from input_user to save_user */
  readonly saveUser: Given<Rows, 'SaveUser', SaveUser> | null | undefined;
}

/** The arguments of each subscription. */
export interface SubscriptionArguments {
  /** Subscription (fork) from save_user to user_saved */
  readonly userSaved: NoArguments;
}

/** What each subscription brings. */
export interface SubscriptionPayloads<Rows = unknown> {
  /** Subscription (fork) from save_user to user_saved */
  readonly userSaved: Given<Rows, 'UserSaved', UserSaved> | null | undefined;
}

/** The object types, by their names in the schema. */
export interface ObjectTypes<Rows = unknown> {
  readonly ReadUser: ReadUser;
  readonly ScanResult: ScanResult<Rows>;
  readonly CachedVerdict: CachedVerdict;
  readonly FreshVerdict: FreshVerdict;
  readonly SaveUser: SaveUser;
  readonly UserSaved: UserSaved;
}

/** The names of the members of each union, by its name in the schema. */
export interface UnionTypes {
  readonly VerdictRace: 'CachedVerdict' | 'FreshVerdict';
}

/** The types that have a row. Unknown, or any, means that none has. */
export type RowNames<Rows> = unknown extends Rows ? never : keyof Rows;

/** What stands in the place of a type: its row, where Rows has one. */
export type Given<Rows, Name extends string, Type> = Name extends RowNames<Rows> ? Rows[Name] : Type;

/** A member of a union, which says by `__typename` what it is. */
export type Member<Name extends string, Type> = Type & { readonly __typename: Name };

/** The arguments of what takes none. */
export type NoArguments = Readonly<Record<string, never>>;

/** A function that gives a value, at once or later. */
export type Resolver<Parent, Arguments, Context, Result> = (
  parent: Parent,
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Result | PromiseLike<Result>;

/** What resolves a field: a function, or a value that is served as it is. */
export type FieldResolver<Parent, Arguments, Context, Result> =
  | Resolver<Parent, Arguments, Context, Result>
  | (unknown extends Result ? never : Exclude<Result, undefined>);

/**
 * What resolves a subscription: a function that returns an async iterable of events. An event is the
 * payload, or holds it under the name of the subscription, or `resolve` makes the payload out of it.
 */
export type SubscriptionResolver<Name extends string, Arguments, Context, Payload> =
  | Resolver<undefined, Arguments, Context, AsyncIterable<Payload | { readonly [Field in Name]: Payload }>>
  | {
      readonly subscribe: Resolver<
        undefined,
        Arguments,
        Context,
        AsyncIterable<Payload | { readonly [Field in Name]: Payload }>
      >;
      readonly resolve?: undefined;
    }
  | {
      readonly subscribe: Resolver<undefined, Arguments, Context, AsyncIterable<unknown>>;
      /** A method, so that the type of the event may be declared by whoever knows it. */
      resolve(
        event: unknown,
        args: Arguments,
        context: Context,
        info: GraphQLResolveInfo,
      ): Payload | PromiseLike<Payload>;
    };

/** The fields of a type that a row does not have. */
export type Lacking<Parent, Type> = {
  readonly [Field in keyof Type]-?: Field extends keyof Parent
    ? Parent[Field] extends Type[Field] | PromiseLike<Type[Field]> | ((...args: never) => unknown)
      ? never
      : Field
    : undefined extends Type[Field]
      ? never
      : Field;
}[keyof Type];

/** What tells the name of the member of a union that a value is. */
export type TypeResolver<Value, Context, Name> = (
  value: Value,
  context: Context,
  info: GraphQLResolveInfo,
) => Name | PromiseLike<Name>;

/** The resolvers of the fields of a type; those that its row lacks must be there. */
export type FieldResolvers<Parent, Type, Context> = {
  readonly [Field in keyof Type]?: FieldResolver<Parent, NoArguments, Context, Type[Field]>;
} & {
  readonly [Field in Lacking<Parent, Type>]: FieldResolver<Parent, NoArguments, Context, Type[Field]>;
} & {
  /** Whether a member of a union is of this type, where the value does not say so by `__typename`. */
  readonly __isTypeOf?: (
    value: unknown,
    context: Context,
    info: GraphQLResolveInfo,
  ) => boolean | PromiseLike<boolean>;
};

/** The resolvers of the queries. */
export type QueryResolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof QueryArguments]?: FieldResolver<
    undefined,
    QueryArguments[Name],
    Context,
    QueryResults<Rows>[Name]
  >;
};

/** The resolvers of the mutations. */
export type MutationResolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof MutationArguments]?: FieldResolver<
    undefined,
    MutationArguments[Name],
    Context,
    MutationResults<Rows>[Name]
  >;
};

/** The resolvers of the subscriptions, for those whose events do not come from a mutation. */
export type SubscriptionResolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof SubscriptionArguments]?: SubscriptionResolver<
    Name,
    SubscriptionArguments[Name],
    Context,
    SubscriptionPayloads<Rows>[Name]
  >;
};

/**
 * The resolvers of the API, as `createGqlServer` takes them.
 *
 * Context is the third argument of every resolver. Rows says what resolvers give in place of a type, by the
 * name of the type: `{ User: UserRow }`. A field that a row lacks needs a resolver then, and a union that
 * has a row needs `__resolveType`.
 */
export type Resolvers<Context = unknown, Rows = unknown> = {
  readonly Query?: QueryResolvers<Context, Rows>;
  readonly Mutation?: MutationResolvers<Context, Rows>;
  readonly Subscription?: SubscriptionResolvers<Context, Rows>;
} & {
  readonly [Name in keyof ObjectTypes]?: FieldResolvers<
    Given<Rows, Name, ObjectTypes<Rows>[Name]>,
    ObjectTypes<Rows>[Name],
    Context
  >;
} & {
  readonly [Name in keyof UnionTypes]?: {
    readonly __resolveType?: TypeResolver<Given<Rows, Name, unknown>, Context, UnionTypes[Name]>;
  };
} & RowResolvers<Context, Rows>;

/** What must be there because rows stand in the place of types. A name that is no type is refused. */
export type RowResolvers<Context, Rows> = {
  readonly [Name in Extract<RowNames<Rows>, keyof ObjectTypes> as [
    Lacking<Rows[Name], ObjectTypes<Rows>[Name]>,
  ] extends [never]
    ? never
    : Name]: FieldResolvers<Rows[Name], ObjectTypes<Rows>[Name], Context>;
} & {
  readonly [Name in Extract<RowNames<Rows>, keyof UnionTypes>]: {
    readonly __resolveType: TypeResolver<Rows[Name], Context, UnionTypes[Name]>;
  };
} & {
  readonly [Name in Exclude<RowNames<Rows>, keyof ObjectTypes | keyof UnionTypes>]: never;
};

/** The queries that answer `NOT_IMPLEMENTED` without a resolver. */
export type NeededQueries = 'readUser' | 'scanResult';

/** The mutations that answer `NOT_IMPLEMENTED` without a resolver. */
export type NeededMutations = 'saveUser';

/** The same, with all queries and mutations in them that nothing else answers. */
export type CompleteResolvers<Context = unknown, Rows = unknown> = Resolvers<Context, Rows> & {
  readonly Query: Required<Pick<QueryResolvers<Context, Rows>, NeededQueries>>;
} & {
  readonly Mutation: Required<Pick<MutationResolvers<Context, Rows>, NeededMutations>>;
};

/** The REST routes of the API, and the JSON that they take and give. */
export namespace Rest {
  /** The paths, with what each method takes and answers. */
  export interface Paths {
    readonly '/api/readUser': {
      /** Query from topology edge root to read_user */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: ReadUser | null;
      };
    };
    readonly '/api/scanResult': {
      /** Query from topology edge request to scan_result */
      readonly get: {
        readonly parameters: {
          /** The address to scan. */
          readonly url: string;
        };
        readonly answer: ScanResult | null;
      };
    };
    readonly '/api/saveUser': {
      /** Mutation (fold) from input_user to save_user */
      readonly post: {
        readonly body: {
          readonly input?: InputUserInput | null | undefined;
        };
        readonly answer: SaveUser | null;
      };
    };
  }

  /** A user, as it is read. */
  export interface ReadUser {
    /** The key of the user. */
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly status: UserStatus;
  }

  /** What a scan says of an address. */
  export interface ScanResult {
    readonly url: string;
    /** The first of the two verdicts to arrive. */
    readonly verdict: VerdictRace | null;
  }

  /** A verdict that was reached before. */
  export interface CachedVerdict {
    readonly clean: boolean;
    readonly reachedAt: string;
  }

  /** A verdict that was reached just now. */
  export interface FreshVerdict {
    readonly clean: boolean;
    readonly tookMs: number;
  }

  /** A user, as it was saved. */
  export interface SaveUser {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
  }

  /** Union (race) of cached_verdict | fresh_verdict for verdict */
  export type VerdictRace =
    | (CachedVerdict & { readonly __typename: 'CachedVerdict' })
    | (FreshVerdict & { readonly __typename: 'FreshVerdict' });

  /** What a caller says of a user: an id for one that is there, none for a new one. */
  export interface InputUserInput {
    readonly id?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly email?: string | null | undefined;
  }
}
