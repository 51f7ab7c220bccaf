import { baseName } from '../../compiler/graph/type-ref.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { code, type Page, paragraph } from './page.js';
import { nameInline, type Reference } from './reference.js';

/** The path of the page of unused inputs. No input has such a name. */
export const unusedInputsPath = 'inputs/unused-inputs';

/** The names of the inputs that no argument of an operation or of a field takes, directly or inside another input. */
export function findUnusedInputs(schema: GqlSchema): ReadonlySet<string> {
  const { inputs, objects, interfaces = [] } = schema;
  const byName = new Map(inputs.map((input) => [input.name, input]));
  const unused = new Set(byName.keys());
  const use = (name: string): void => {
    if (!unused.delete(name)) return;
    for (const { type } of byName.get(name)?.fields ?? []) use(baseName(type));
  };
  const fields = [...objects, ...interfaces].flatMap((type) => type.fields);
  for (const { arguments: args = [] } of [...allOperations(schema), ...fields])
    for (const { type } of args) use(baseName(type));
  return unused;
}

/** One page for all unused inputs: a topology has an input for each node. Undefined if there are none. */
export function unusedInputsPage(reference: Reference): Page | undefined {
  const { schema, paths } = reference;
  const inputs = schema.inputs.filter(({ name }) => paths.ofType(name) === unusedInputsPath);
  if (inputs.length === 0) return undefined;
  return {
    path: unusedInputsPath,
    title: 'Unused inputs',
    kind: 'unused input',
    summary: 'the inputs that no operation takes',
    blocks: [
      paragraph('The schema has these inputs, but no operation takes them.'),
      {
        kind: 'table',
        label: 'Unused inputs',
        head: ['Input', 'Of', 'Fields'],
        rows: inputs.map(({ name, of, fields }) => ({
          id: `member-${name}`,
          cells: [
            [code(name)],
            of === undefined ? [] : [nameInline(reference, of)],
            [code(fields.map((field) => field.name).join(', '))],
          ],
        })),
      },
    ],
  };
}
