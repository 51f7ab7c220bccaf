import { findSteps, type NamedStep } from '../../../compiler/api/chains/named-steps.js';
import type { Annotations } from '../../../compiler/emit/openapi/type-schema.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { hintsOf, type Tool } from './agent-tool.js';
import { CompactSchemas, ownDescription } from './compact-schemas.js';

/** A tool has at most this many operations; the next one has the others. */
const mostOperations = 40;
/** About the most characters of an input schema with several operations: some 10 000 tokens. */
const mostOfSchema = 40_000;

/**
 * One tool for each family of mutations, which are those that take ids of each other, and read-only tools for the
 * queries. An operation is described once, whatever number of chains it is part of. A group that is too large for one
 * tool is several.
 */
export function chainTools(schema: GqlSchema, pageSize: number | undefined): readonly Tool[] {
  const steps = findSteps(schema);
  const queries = steps.filter(({ operation }) => operation.kind === 'query');
  const names = new Set<string>();
  const unique = (wanted: string): string => {
    let name = wanted;
    while (names.has(name)) name += '_';
    names.add(name);
    return name;
  };
  const families = familiesOf(steps)
    .flatMap((family) => split(schema, family))
    .map((family) => toolOf(schema, family, unique(nameOf(family)), pageSize));
  const readers = split(schema, queries).map((group) => toolOf(schema, group, unique('read'), pageSize));
  return [...readers, ...families];
}

/** Steps in groups, in their order. An operation that is too large by itself is a group. */
function split(schema: GqlSchema, steps: readonly NamedStep[]): readonly (readonly NamedStep[])[] {
  const groups: NamedStep[][] = [];
  let size = 0;
  for (const step of steps) {
    const schemas = new CompactSchemas(schema, [step]);
    // Steps of one tool share types, so that together they are not larger.
    const added = JSON.stringify([schemas.argumentsOf(step), schemas.shared]).length;
    const group = groups.at(-1);
    if (group === undefined || group.length === mostOperations || size + added > mostOfSchema) {
      groups.push([step]);
      size = added;
    } else {
      group.push(step);
      size += added;
    }
  }
  return groups;
}

/** The mutations in groups: one that takes an id of another is in its group. */
function familiesOf(steps: readonly NamedStep[]): readonly (readonly NamedStep[])[] {
  const families = new Map<NamedStep, NamedStep[]>();
  for (const step of steps) {
    if (step.operation.kind === 'query') continue;
    const joined = new Set(step.takes.flatMap(({ from }) => families.get(from) ?? []));
    const family = steps.filter((one) => one === step || joined.has(one));
    // The family of each earlier mutation is complete, so that these are whole families.
    for (const one of family) families.set(one, family);
  }
  return [...new Set(families.values())];
}

function toolOf(schema: GqlSchema, steps: readonly NamedStep[], name: string, pageSize: number | undefined): Tool {
  const inputSchema = inputsSchema(schema, steps, pageSize);
  const [only] = steps;
  // The description of the tool is that of its only operation.
  if (steps.length === 1 && only !== undefined && ownDescription(only.operation) !== undefined)
    delete (inputSchema.properties?.[only.name] as Annotations | undefined)?.description;
  return {
    definition: {
      name,
      description: describeTool(steps),
      inputSchema,
      annotations: hintsOf(
        schema,
        steps.map(({ operation }) => operation),
      ),
    },
    steps,
    isOneStep: false,
  };
}

/** The inputs of a run of these steps: the arguments of each by its name. */
export function inputsSchema(
  schema: GqlSchema,
  steps: readonly NamedStep[],
  pageSize: number | undefined,
): Tool['definition']['inputSchema'] {
  const schemas = new CompactSchemas(schema, steps, pageSize);
  const properties = Object.fromEntries(steps.map((step) => [step.name, schemas.argumentsOf(step)]));
  const { shared } = schemas;
  return {
    type: 'object',
    properties,
    minProperties: 1,
    ...(Object.keys(shared).length > 0 && { $defs: shared }),
  } as unknown as Tool['definition']['inputSchema'];
}

function describeTool(steps: readonly NamedStep[]): string {
  const [only, ...others] = steps;
  if (only?.operation.kind === 'query') return 'Runs the queries that you name, each with its arguments.';
  const own = others.length === 0 && only !== undefined ? ownDescription(only.operation) : undefined;
  const names = steps.map(({ name }) => name).join(', ');
  return `${own ?? `Runs those of ${names} that you name, each with its arguments.`} ${handOn}`;
}

const handOn = 'Omitted ids come from the results of other operations of the call; queries of read may be among them.';

/** The names of the operations, or, if they are long together, that of the one whose ids most others take. */
function nameOf(family: readonly NamedStep[]): string {
  const all = family.map(({ name }) => name).join('_');
  if (all.length <= longestName || family.length === 1) return all.slice(0, mostCharacters);
  const takers = (step: NamedStep) => family.filter(({ takes }) => takes.some(({ from }) => from === step)).length;
  const central = family.reduce((one, other) => (takers(other) > takers(one) ? other : one));
  return `${central.name.slice(0, mostCharacters)}_and_${family.length - 1}_more`;
}

/** Hosts put the name of the server before it, and some accept 64 characters in all. */
const longestName = 40;
/** MCP accepts 128 characters. */
const mostCharacters = 100;
