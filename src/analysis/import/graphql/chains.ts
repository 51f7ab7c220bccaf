import { type FieldDefinitionNode, Kind } from 'graphql';
import { runTypes } from '../../../compiler/api/chains/chain-fields.js';
import { capitalized } from '../../../compiler/graph/names.js';
import { lineAndColumn, type SchemaDefinition, type TypeDefinition } from './type-definitions.js';
import { baseOf, directiveOf } from './values.js';

/** Our own schema without the fields of chains and their types, and the places of the chains by the names of their goals. */
export function withoutChains(given: SchemaDefinition): SchemaDefinition {
  const { types, roots, ...schema } = withoutRuns(given);
  const root = types.get(roots.mutation);
  const fields = root?.fields.filter((field) => goalOf(field) !== undefined) ?? [];
  if (root === undefined || fields.length === 0) return { types, roots, ...schema };
  const own = new Set<string>();
  const add = (name: string): void => {
    own.add(name);
    // The inputs in the input of a step have names that begin with its name.
    for (const { type } of types.get(name)?.inputFields ?? []) {
      const inner = baseOf(type);
      if (inner.startsWith(name) && !own.has(inner)) add(inner);
    }
  };
  for (const { type, arguments: inputs = [] } of fields) for (const one of [{ type }, ...inputs]) add(baseOf(one.type));
  const left = [...types].filter(([name]) => !own.has(name));
  const others = root.fields.filter((field) => !fields.includes(field));
  return {
    ...schema,
    roots,
    types: new Map<string, TypeDefinition>([...left, [root.name, { ...root, fields: others }]]),
    chains: new Map([
      ...(schema.chains ?? []),
      ...fields.map((one) => [goalOf(one) ?? '', lineAndColumn(one)] as const),
    ]),
  };
}

/** The schema without the fields that follow the runs of durable chains, and without their types, and these chains. */
function withoutRuns({ types, roots, ...schema }: SchemaDefinition): SchemaDefinition {
  const root = types.get(roots.subscription);
  const fields = root?.fields.filter(isRunField) ?? [];
  if (root === undefined || fields.length === 0) return { types, roots, ...schema };
  const others = root.fields.filter((field) => !fields.includes(field));
  const chains = new Map(fields.map((field) => [field.name.value.slice(0, -'Run'.length), lineAndColumn(field)]));
  const own = [root.name, ...runTypes.map(({ name }) => name)];
  const left = [...types].filter(([name]) => !own.includes(name));
  const kept = others.length === 0 ? [] : [[root.name, { ...root, fields: others }] as const];
  const durable = new Set(chains.keys());
  return { ...schema, roots, types: new Map<string, TypeDefinition>([...left, ...kept]), chains, durable };
}

function isRunField(field: FieldDefinitionNode): boolean {
  return (
    field.name.value.endsWith('Run') &&
    baseOf(field.type) === 'ChainRun' &&
    directiveOf(field, 'topology') === undefined
  );
}

/** The setting of the goal of a chain; none for other operations. */
export function chainSettings({ types, roots, chains, durable }: SchemaDefinition, kind: string, name: string) {
  if (chains === undefined || kind === 'subscription') return [];
  const isQuery = types.get(roots.query)?.fields.some((field) => field.name.value === name);
  // The name of a mutation beside a query of the same name.
  const step = kind === 'query' || !isQuery ? name : `${name}_mutation`;
  const [goal, place] = [...chains].find(([one]) => one.replace(/(?<=_mutation)_+$/, '') === step) ?? [];
  if (goal === undefined || place === undefined) return [];
  const words = durable?.has(goal) ? ['chain', 'durable'] : ['chain'];
  return words.map((key) => ({ key, text: 'true', place }));
}

function goalOf(field: FieldDefinitionNode): string | undefined {
  const [, goal] = /^(\w+)Chain$/.exec(field.name.value) ?? [];
  const isChain = field.type.kind === Kind.NAMED_TYPE && baseOf(field.type) === capitalized(field.name.value);
  return isChain && directiveOf(field, 'topology') === undefined ? goal : undefined;
}
