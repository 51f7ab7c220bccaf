import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { docComment } from './doc-comment.js';
import type { LeftOut } from './left-out.js';
import type { TypeContext } from './type-context.js';
import { unionText } from './type-text.js';

/** The types of resolvers. Only a few names in them depend on the schema. */
export function resolverSupport({ schema, nameOf }: TypeContext, leftOut: LeftOut): string {
  const scalars = schema.scalars.map(
    ({ name }) =>
      `${docComment(`Serializes and parses values of ${name}.`, '  ')}` +
      `  readonly ${name}?: GraphQLScalarType<${nameOf(name)}, unknown>;\n`,
  );
  return [
    functions,
    roots,
    `/**
 * The resolvers of the API: the option \`resolvers\` of \`createGqlServer\`.
 *
 * Context is the type of the third argument of every resolver. Rows maps the name of a type to the type that
 * resolvers return instead: \`{ User: UserRow }\`. A field that the row lacks then needs a resolver, and a
 * union with a row needs \`__resolveType\`.
 */
export type Resolvers<Context = unknown, Rows = unknown> = {
  readonly Query?: QueryResolvers<Context, Rows>;
  readonly Mutation?: MutationResolvers<Context, Rows>;
  readonly Subscription?: SubscriptionResolvers<Context, Rows>;
${scalars.join('')}${byRows}`,
    completeResolvers(schema, leftOut),
  ].join('\n');
}

const functions = `/** The names of the types with a row. With \`unknown\` or \`any\` as Rows, no type has one. */
export type RowNames<Rows> = unknown extends Rows ? never : keyof Rows;

/** The type that resolvers return for a type: its row if Rows has one, else the type itself. */
export type Given<Rows, Name extends string, Type> = Name extends RowNames<Rows> ? Rows[Name] : Type;

/** A member of a union, with the \`__typename\` that identifies it. */
export type Member<Name extends string, Type> = Type & { readonly __typename: Name };

/** The arguments of a field without arguments. */
export type NoArguments = Readonly<Record<string, never>>;

/** A function that returns a value or a promise of it. */
export type Resolver<Parent, Arguments, Context, Result> = (
  parent: Parent,
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Result | PromiseLike<Result>;

/** A resolver function, or a constant value. */
export type FieldResolver<Parent, Arguments, Context, Result> =
  | Resolver<Parent, Arguments, Context, Result>
  | (unknown extends Result ? never : Exclude<Result, undefined>);

/**
 * The resolver of a subscription: a function that returns an async iterable of events. An event is the payload,
 * or has it under the name of the subscription, or \`resolve\` returns the payload of the event.
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
      /** A method, so that an implementation may declare the type of its event. */
      resolve(
        event: unknown,
        args: Arguments,
        context: Context,
        info: GraphQLResolveInfo,
      ): Payload | PromiseLike<Payload>;
    };

/** The names of the fields of a type that its row lacks. */
export type Lacking<Parent, Type> = {
  readonly [Field in keyof Type]-?: Field extends keyof Parent
    ? Parent[Field] extends Type[Field] | PromiseLike<Type[Field]> | ((...args: never) => unknown)
      ? never
      : Field
    : undefined extends Type[Field]
      ? never
      : Field;
}[keyof Type];

/** A function that returns the name of the union member that a value belongs to. */
export type TypeResolver<Value, Context, Name> = (
  value: Value,
  context: Context,
  info: GraphQLResolveInfo,
) => Name | PromiseLike<Name>;

/** The field resolvers of a type; a field that its row lacks requires one. */
export type FieldResolvers<Parent, Type, Context> = {
  readonly [Field in keyof Type]?: FieldResolver<Parent, NoArguments, Context, Type[Field]>;
} & {
  readonly [Field in Lacking<Parent, Type>]: FieldResolver<Parent, NoArguments, Context, Type[Field]>;
} & {
  /** Tells whether a value without \`__typename\` in a union is of this type. */
  readonly __isTypeOf?: (
    value: unknown,
    context: Context,
    info: GraphQLResolveInfo,
  ) => boolean | PromiseLike<boolean>;
};
`;

const roots = [
  ['Query', 'queries', 'FieldResolver', 'undefined', 'Results'],
  ['Mutation', 'mutations', 'FieldResolver', 'undefined', 'Results'],
  [
    'Subscription',
    'subscriptions whose events do not come from a mutation',
    'SubscriptionResolver',
    'Name',
    'Payloads',
  ],
]
  .map(
    ([root, what, resolver, first, results]) => `/** The resolvers of the ${what}. */
export type ${root}Resolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof ${root}Arguments]?: ${resolver}<
    ${first},
    ${root}Arguments[Name],
    Context,
    ${root}${results}<Rows>[Name]
  >;
};
`,
  )
  .join('\n');

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

/** The resolvers that Rows makes necessary. A name in Rows must be the name of a type. */
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
  return `${lists.join('')}/** \`Resolvers\` with every query and mutation that would answer \`NOT_IMPLEMENTED\` otherwise. */
export type CompleteResolvers<Context = unknown, Rows = unknown> = Resolvers<Context, Rows>${parts.join('')};
`;
}
