import { code, type Page, paragraph } from './page.js';
import { unusedInputsPath } from './paths.js';
import { nameInline, type Reference } from './reference.js';

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
