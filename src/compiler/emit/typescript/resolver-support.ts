import { batchKeyOf } from '../../api/batch-key.js';
import { fedSubscriptions } from '../../schema/fed-subscriptions.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { LeftOut } from './left-out.js';
import { docComment, leafText, type TypeContext, unionText } from './type-text.js';

/** The types of resolvers. Only a few names in them depend on the schema. */
export function resolverSupport(context: TypeContext, leftOut: LeftOut, takesArguments: boolean): string {
  const { schema, nameOf } = context;
  const scalars = schema.scalars.map(
    ({ name }) =>
      `${docComment(`Serializes and parses values of ${name}.`, '  ')}` +
      `  readonly ${name}?: GraphQLScalarType<${nameOf(name)}, unknown>;\n`,
  );
  const keys = batchKeys(context);
  const isBatched = keys !== '';
  return [
    functions,
    ...(takesArguments ? [argumentsOf] : []),
    fieldResolvers(isBatched, takesArguments),
    ...(isBatched ? [batches, keys] : []),
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
${scalars.join('')}${byRows(isBatched, takesArguments)}`,
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
`;

const argumentsOf = `/** The arguments of a field of a type. */
export type ArgumentsOf<Name, Field> = Name extends keyof FieldArguments
  ? Field extends keyof FieldArguments[Name]
    ? FieldArguments[Name][Field]
    : NoArguments
  : NoArguments;
`;

function fieldResolvers(isBatched: boolean, takesArguments: boolean): string {
  const forms = (indent: string): string => {
    const args = takesArguments ? 'ArgumentsOf<Name, Field>' : 'NoArguments';
    const one = `FieldResolver<Parent, ${args}, Context, Type[Field]>`;
    return isBatched
      ? `\n${indent}| ${one}\n${indent}| BatchResolverOf<Keys, Field, ${args}, Context, Type[Field]>`
      : ` ${one}`;
  };
  const parameters = `${isBatched ? ', Keys = unknown' : ''}${takesArguments ? ', Name = never' : ''}`;
  return `/** The field resolvers of a type; a field that its row lacks requires one. */
export type FieldResolvers<Parent, Type, Context${parameters}> = {
  readonly [Field in keyof Type]?:${forms('    ')};
} & {
  readonly [Field in Lacking<Parent, Type>]:${forms('    ')};
} & {
  /** Tells whether a value without \`__typename\` in a union is of this type. */
  readonly __isTypeOf?: (
    value: unknown,
    context: Context,
    info: GraphQLResolveInfo,
  ) => boolean | PromiseLike<boolean>;
};
`;
}

const batches = `/** A resolver that reads the values of many keys in one call: a value for each key, in the order of the keys. */
export interface BatchResolver<Key, Arguments, Context, Result> {
  readonly batch: (
    keys: readonly Key[],
    context: Context,
    args: Arguments,
  ) => readonly (Result | Error)[] | PromiseLike<readonly (Result | Error)[]>;
}

/** A key that reads one element of a list. */
export interface ElementKey<Key> {
  readonly ofElement: Key;
}

/** The batch resolver of a field, if the field has a key. */
export type BatchResolverOf<Keys, Field, Arguments, Context, Result> = Field extends keyof Keys
  ? Keys[Field] extends ElementKey<infer Key>
    ? BatchResolver<
        Key,
        Arguments,
        Context,
        NonNullable<Result> extends readonly (infer Element)[] ? Element : never
      >
    : BatchResolver<Keys[Field], Arguments, Context, Exclude<Result, undefined>>
  : never;
`;

/** The keys of the fields that a batch resolver can read; empty if no field has a key. */
function batchKeys(context: TypeContext): string {
  const { schema } = context;
  const types = schema.objects.flatMap((type) => {
    const keys = type.fields.flatMap((field) => {
      const key = batchKeyOf(schema, type, field);
      if (key === undefined) return [];
      const text = leafText(context, key.type);
      return [`    readonly ${field.name}: ${key.isList ? `ElementKey<${text}>` : text};\n`];
    });
    return keys.length === 0 ? [] : [`  readonly ${type.name}: {\n${keys.join('')}  };\n`];
  });
  if (types.length === 0) return '';
  return `/** The keys of the fields that a batch resolver can read, by type and field. */
export interface BatchKeys {
${types.join('')}}

/** The keys of one type. */
export type KeysOf<Name> = Name extends keyof BatchKeys ? BatchKeys[Name] : unknown;
`;
}

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

function byRows(isBatched: boolean, takesArguments: boolean): string {
  const more = [...(isBatched ? ['KeysOf<Name>'] : []), ...(takesArguments ? ['Name'] : [])];
  const keys = more.map((text) => `,\n    ${text}`).join('');
  const rowKeys = more.map((text) => `, ${text}`).join('');
  return `} & {
  readonly [Name in keyof ObjectTypes]?: FieldResolvers<
    Given<Rows, Name, ObjectTypes<Rows>[Name]>,
    ObjectTypes<Rows>[Name],
    Context${keys}
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
    : Name]: FieldResolvers<Rows[Name], ObjectTypes<Rows>[Name], Context${rowKeys}>;
} & {
  readonly [Name in Extract<RowNames<Rows>, keyof UnionTypes>]: {
    readonly __resolveType: TypeResolver<Rows[Name], Context, UnionTypes[Name]>;
  };
} & {
  readonly [Name in Exclude<RowNames<Rows>, keyof ObjectTypes | keyof UnionTypes>]: never;
};
`;
}

function completeResolvers(schema: GqlSchema, leftOut: LeftOut): string {
  const { queries, mutations } = schema;
  const needed = (operations: readonly GqlOperation[]): string[] =>
    operations.filter((operation) => !leftOut.operation(operation)).map(({ name }) => `'${name}'`);
  // An internal query has no clients: it may never run, and a race has other branches.
  const ofClients = queries.filter((query) => schema.internal?.queries.includes(query) !== true);
  const roots = [
    { root: 'Query', list: 'NeededQueries', names: needed(ofClients), what: 'queries' },
    { root: 'Mutation', list: 'NeededMutations', names: needed(mutations), what: 'mutations' },
  ].filter(({ names }) => names.length > 0);
  const lists = roots.map(
    ({ list, names, what }) =>
      `${docComment(`The ${what} that answer \`NOT_IMPLEMENTED\` without a resolver.`)}` +
      `${unionText(`export type ${list} =`, names)}\n`,
  );
  const parts = roots.map(
    ({ root, list }) => ` & {\n  readonly ${root}: Required<Pick<${root}Resolvers<Context, Rows>, ${list}>>;\n}`,
  );
  return `${lists.join('')}/** \`Resolvers\` with every query and mutation that would answer \`NOT_IMPLEMENTED\` otherwise. */
export type CompleteResolvers<Context = unknown, Rows = unknown> = Resolvers<Context, Rows>${parts.join('')}${eventFields(schema)};
`;
}

/** The resolvers of event fields that no mutation gives, unless the subscription has a resolver. */
function eventFields(schema: GqlSchema): string {
  const parts = fedSubscriptions(schema).flatMap(({ subscription, event, mutations }) => {
    const names = new Set(mutations.flatMap(({ missing }) => missing.map(({ name }) => name)));
    if (names.size === 0) return [];
    const fields = [...names].map((name) => `'${name}'`).join(' | ');
    const own = `NonNullable<Resolvers<Context, Rows>['${event.name}']>`;
    return [
      ` & (\n  | { readonly ${event.name}: Required<Pick<${own}, ${fields}>> }\n` +
        `  | { readonly Subscription: Required<Pick<SubscriptionResolvers<Context, Rows>, '${subscription.name}'>> }\n)`,
    ];
  });
  return parts.join('');
}
