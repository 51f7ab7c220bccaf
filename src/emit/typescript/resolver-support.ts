import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { docComment } from './doc-comment.js';
import type { LeftOut } from './left-out.js';
import type { TypeContext } from './type-context.js';
import { unionText } from './type-text.js';

/** The types of resolvers, which are the same for every schema but for a few names. */
export function resolverSupport({ schema, nameOf }: TypeContext, leftOut: LeftOut): string {
  const scalars = schema.scalars.map(
    ({ name }) =>
      `${docComment(`How values of ${name} are read and written.`, '  ')}` +
      `  readonly ${name}?: GraphQLScalarType<${nameOf(name)}, unknown>;\n`,
  );
  return [
    functions,
    roots,
    `/**
 * The resolvers of the API, as \`createGqlServer\` takes them.
 *
 * Context is the third argument of every resolver. Rows says what resolvers give in place of a type, by the
 * name of the type: \`{ User: UserRow }\`. A field that a row lacks needs a resolver then, and a union that
 * has a row needs \`__resolveType\`.
 */
export type Resolvers<Context = unknown, Rows = unknown> = {
  readonly Query?: QueryResolvers<Context, Rows>;
  readonly Mutation?: MutationResolvers<Context, Rows>;
  readonly Subscription?: SubscriptionResolvers<Context, Rows>;
${scalars.join('')}${byRows}`,
    completeResolvers(schema, leftOut),
  ].join('\n');
}

const functions = `/** The types that have a row. Unknown, or any, means that none has. */
export type RowNames<Rows> = unknown extends Rows ? never : keyof Rows;

/** What stands in the place of a type: its row, where Rows has one. */
export type Given<Rows, Name extends string, Type> = Name extends RowNames<Rows> ? Rows[Name] : Type;

/** A member of a union, which says by \`__typename\` what it is. */
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
 * payload, or holds it under the name of the subscription, or \`resolve\` makes the payload out of it.
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
  /** Whether a member of a union is of this type, where the value does not say so by \`__typename\`. */
  readonly __isTypeOf?: (
    value: unknown,
    context: Context,
    info: GraphQLResolveInfo,
  ) => boolean | PromiseLike<boolean>;
};
`;

const roots = `/** The resolvers of the queries. */
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
`;

const byRows = `} & {
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
`;

function completeResolvers({ queries, mutations }: GqlSchema, leftOut: LeftOut): string {
  const needed = (operations: readonly GqlOperation[]): string[] =>
    operations.filter((operation) => !leftOut.operation(operation)).map(({ name }) => `'${name}'`);
  const roots = [
    { root: 'Query', list: 'NeededQueries', names: needed(queries), what: 'queries' },
    { root: 'Mutation', list: 'NeededMutations', names: needed(mutations), what: 'mutations' },
  ].filter(({ names }) => names.length > 0);
  const lists = roots.map(
    ({ list, names, what }) =>
      `${docComment(`The ${what} that answer \`NOT_IMPLEMENTED\` without a resolver.`)}` +
      `${unionText(`export type ${list} =`, names)}\n`,
  );
  const parts = roots.map(
    ({ root, list }) =>
      ` & {\n  readonly ${root}: Required<Pick<${root}Resolvers<Context, Rows>, ${list}>>;\n}`,
  );
  return `${lists.join('')}/** The same, with all queries and mutations in them that nothing else answers. */
export type CompleteResolvers<Context = unknown, Rows = unknown> = Resolvers<Context, Rows>${parts.join('')};
`;
}
