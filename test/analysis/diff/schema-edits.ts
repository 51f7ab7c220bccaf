import fc from 'fast-check';
import { listOf, named, nonNull, nullable, type TypeRef } from '../../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';

/** A small edit of a model that leaves it sound: what a day of work does to an API. */
export type SchemaEdit = (schema: GqlSchema) => GqlSchema;

/** Random edits, from one to `maximum` of them after each other. */
export function schemaEdits(maximum = 6): fc.Arbitrary<SchemaEdit> {
  const one = fc.tuple(fc.constantFrom(...edits), fc.array(fc.nat(), { minLength: 6, maxLength: 6 })).map(
    ([edit, numbers]): SchemaEdit =>
      (schema) => {
        let used = 0;
        return edit(schema, <T>(things: readonly T[]): T | undefined => {
          used += 1;
          return things[(numbers[used % numbers.length] as number) % Math.max(1, things.length)];
        });
      },
  );
  return fc
    .array(one, { minLength: 1, maxLength: maximum })
    .map((list) => (schema) => list.reduce((edited, edit) => edit(edited), schema));
}

type Choose = <T>(things: readonly T[]) => T | undefined;
type Edit = (schema: GqlSchema, choose: Choose) => GqlSchema;

const leaves = ['ID', 'String', 'Int', 'Float', 'Boolean'];

const edits: readonly Edit[] = [
  function dropField(schema, choose) {
    const type = choose(schema.objects.filter(({ fields }) => fields.length > 1));
    const field = choose(type?.fields ?? []);
    return {
      ...schema,
      objects: edited(schema.objects, type, (it) => ({ ...it, fields: without(it.fields, field) })),
    };
  },
  function dropInputField(schema, choose) {
    const type = choose(schema.inputs.filter(({ fields }) => fields.length > 1));
    const field = choose(type?.fields ?? []);
    return {
      ...schema,
      inputs: edited(schema.inputs, type, (it) => ({ ...it, fields: without(it.fields, field) })),
    };
  },
  function addField(schema, choose) {
    const type = choose(schema.objects.filter(({ fields }) => !fields.some(({ name }) => name === 'extra')));
    const field = {
      name: 'extra',
      description: undefined,
      type: outputType(schema, choose),
      fallback: undefined,
      span: undefined,
    };
    return {
      ...schema,
      objects: edited(schema.objects, type, (it) => ({ ...it, fields: [...it.fields, field] })),
    };
  },
  function addInputField(schema, choose) {
    const type = choose(schema.inputs.filter(({ fields }) => !fields.some(({ name }) => name === 'extra')));
    const field = value(
      'extra',
      choose([nullableInput(schema, choose), nonNull(named('Int'))]) ?? named('Int'),
      choose,
    );
    return {
      ...schema,
      inputs: edited(schema.inputs, type, (it) => ({ ...it, fields: [...it.fields, field] })),
    };
  },
  function retypeField(schema, choose) {
    const type = choose(schema.objects);
    const field = choose(type?.fields ?? []);
    const other = choose([outputType(schema, choose), rewrapped(field?.type, choose)]) ?? named('Int');
    return {
      ...schema,
      objects: edited(schema.objects, type, (it) => ({
        ...it,
        fields: edited(it.fields, field, (old) => ({ ...old, type: other, fallback: undefined })),
      })),
    };
  },
  function retypeInputField(schema, choose) {
    const type = choose(schema.inputs);
    const field = choose(type?.fields ?? []);
    const other = choose([nullableInput(schema, choose), nullable(rewrapped(field?.type, choose))]) ?? named('Int');
    return {
      ...schema,
      inputs: edited(schema.inputs, type, (it) => ({
        ...it,
        fields: edited(it.fields, field, (old) => ({ ...old, type: other, fallback: undefined })),
      })),
    };
  },
  function dropArgument(schema, choose) {
    return onOperation(schema, choose, (it) => ({
      ...it,
      arguments: without(it.arguments, choose(it.arguments)),
    }));
  },
  function addArgument(schema, choose) {
    return onOperation(schema, choose, (it) => {
      if (it.arguments.some(({ name }) => name === 'fields')) return it;
      const type = choose([inputType(schema, choose), named('Int'), nonNull(named('Int'))]) ?? named('Int');
      return { ...it, arguments: [...it.arguments, value('fields', type, choose)] };
    });
  },
  function retypeArgument(schema, choose) {
    return onOperation(schema, choose, (it) => {
      const argument = choose(it.arguments);
      const type = choose([inputType(schema, choose), rewrapped(argument?.type, choose)]) ?? named('Int');
      const change = (old: GqlArgument) => ({ ...old, type, fallback: undefined });
      return { ...it, arguments: edited(it.arguments, argument, change) };
    });
  },
  function changeDefault(schema, choose) {
    return onOperation(schema, choose, (it) => {
      const argument = choose(it.arguments.filter(({ type }) => isInt(type)));
      const fallback = choose([undefined, 1, 2, 3, null]);
      const change = (old: GqlArgument) => ({
        ...old,
        fallback: fallback === null && old.type.kind === 'nonNull' ? undefined : fallback,
      });
      return { ...it, arguments: edited(it.arguments, argument, change) };
    });
  },
  function retypeOperation(schema, choose) {
    return onOperation(schema, choose, (it) => {
      const type = choose([outputType(schema, choose), rewrapped(it.type, choose)]) ?? it.type;
      return { ...it, type };
    });
  },
  function dropOperation(schema, choose) {
    const kind = choose(['queries', 'mutations', 'subscriptions'] as const) ?? 'queries';
    return { ...schema, [kind]: without<GqlOperation>(schema[kind], choose(schema[kind])) };
  },
  function dropAllOfOneKind(schema, choose) {
    return { ...schema, [choose(['queries', 'mutations', 'subscriptions']) ?? 'queries']: [] };
  },
  function queryBecomesMutation(schema, choose) {
    const query = choose(schema.queries.filter(({ name }) => !schema.mutations.some((other) => other.name === name)));
    if (query === undefined) return schema;
    return {
      ...schema,
      queries: without(schema.queries, query),
      mutations: [...schema.mutations, { ...query, kind: 'mutation' }],
    };
  },
  function changeEnum(schema, choose) {
    const type = choose(schema.enums);
    const add = choose([true, false]);
    return {
      ...schema,
      enums: edited(schema.enums, type, (it) => {
        if (add) return it.values.includes('EXTRA') ? it : { ...it, values: [...it.values, 'EXTRA'] };
        const gone = choose(it.values);
        return it.values.length === 1 ? it : { ...it, values: it.values.filter((name) => name !== gone) };
      }),
    };
  },
  function changeUnion(schema, choose) {
    const type = choose(schema.unions);
    const other = choose(schema.objects)?.name ?? '';
    return {
      ...schema,
      unions: edited(schema.unions, type, (it) => {
        if (!it.members.includes(other)) return { ...it, members: [...it.members, other] };
        return it.members.length === 1 ? it : { ...it, members: it.members.filter((name) => name !== other) };
      }),
    };
  },
  function enumBecomesScalar(schema, choose) {
    const type = choose(schema.enums);
    if (type === undefined) return schema;
    const { name, description, node } = type;
    return {
      ...schema,
      enums: without(schema.enums, type),
      scalars: [...schema.scalars, { name, description, specifiedBy: undefined, node }],
    };
  },
  function specifyScalar(schema, choose) {
    const url = choose([undefined, 'https://example.com/a', 'https://example.com/b']);
    return {
      ...schema,
      scalars: edited(schema.scalars, choose(schema.scalars), (it) => ({ ...it, specifiedBy: url })),
    };
  },
  function describeAnew(schema, choose) {
    const description = choose([undefined, 'Other words.', '']);
    return {
      ...schema,
      objects: edited(schema.objects, choose(schema.objects), (it) => ({ ...it, description })),
      enums: edited(schema.enums, choose(schema.enums), (it) => ({ ...it, description })),
    };
  },
  function describeAnewInside(schema, choose) {
    const description = choose([undefined, 'Other words.', '']);
    return onOperation(schema, choose, (it) => ({
      ...it,
      description,
      arguments: edited(it.arguments, choose(it.arguments), (old) => ({ ...old, description })),
    }));
  },
  function relabel(schema, choose) {
    const type = choose(schema.objects);
    return {
      ...schema,
      objects: edited(schema.objects, type, (it) => {
        return it.node === undefined ? it : { ...it, node: { ...it.node, labels: ['Relabelled'] } };
      }),
    };
  },
  function reroute(schema, choose) {
    return onOperation(schema, choose, (it) => ({
      ...it,
      edges: it.edges.map((edge) => ({ ...edge, from: [...edge.from, 'elsewhere'] })),
    }));
  },
];

function edited<T>(list: readonly T[], thing: T | undefined, change: (thing: T) => T): readonly T[] {
  return list.map((item) => (item === thing ? change(item) : item));
}

function without<T>(list: readonly T[], thing: T | undefined): readonly T[] {
  return list.filter((item) => item !== thing);
}

function onOperation(schema: GqlSchema, choose: Choose, change: (it: GqlOperation) => GqlOperation): GqlSchema {
  const kind = choose(['queries', 'mutations', 'subscriptions'] as const) ?? 'queries';
  return { ...schema, [kind]: edited(schema[kind], choose(schema[kind]), change) };
}

function value(name: string, type: TypeRef, choose: Choose): GqlArgument {
  const fallback = isInt(type) ? choose([undefined, 1, 2]) : undefined;
  return { name, description: choose([undefined, 'Words.']), type, fallback, span: undefined };
}

function isInt(type: TypeRef): boolean {
  const bare = nullable(type);
  return bare.kind === 'named' && bare.name === 'Int';
}

/** Any type that may come out, wrapped in one of the ways. */
function outputType(schema: GqlSchema, choose: Choose): TypeRef {
  const { objects, unions, enums, scalars } = schema;
  const names = [...leaves, ...[...objects, ...unions, ...enums, ...scalars].map(({ name }) => name)];
  return wrapped(named(choose(names) ?? 'Int'), choose);
}

function inputType(schema: GqlSchema, choose: Choose): TypeRef {
  const { inputs, enums, scalars } = schema;
  const names = [...leaves, ...[...inputs, ...enums, ...scalars].map(({ name }) => name)];
  return wrapped(named(choose(names) ?? 'Int'), choose);
}

/** An input that requires itself could never be given, so fields of inputs stay optional. */
function nullableInput(schema: GqlSchema, choose: Choose): TypeRef {
  return nullable(inputType(schema, choose));
}

function wrapped(type: TypeRef, choose: Choose): TypeRef {
  return choose([type, nonNull(type), listOf(type), nonNull(listOf(nonNull(type))), listOf(listOf(type))]) ?? type;
}

/** The same type with another wrapping: the changes that are safe in one direction only. */
function rewrapped(type: TypeRef | undefined, choose: Choose): TypeRef {
  if (type === undefined) return named('Int');
  const bare = nullable(type);
  const inner = bare.kind === 'list' ? listOf(rewrapped(bare.of, choose)) : bare;
  return choose([inner, nonNull(inner), listOf(type), type]) ?? type;
}
