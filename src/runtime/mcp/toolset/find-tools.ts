import type { Tool } from './agent-tool.js';

/** The number of candidates that `find` answers. */
export const mostCandidates = 5;

/** Two tools of constant size, whatever the number of operations. */
export const findTools: readonly Tool[] = [
  {
    definition: {
      name: 'find',
      description:
        `Finds operations for a goal: up to ${mostCandidates}, the best first, each with the steps that lead to it and the ` +
        'schema of the inputs that run takes.',
      inputSchema: {
        type: 'object',
        properties: {
          words: { type: 'string', description: 'What to do, in words of the domain: book a shipment.' },
          type: { type: 'string', description: 'Only operations that return or take this type.' },
        },
        required: ['words'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    steps: [],
    isOneStep: false,
  },
  {
    definition: {
      name: 'run',
      description:
        'Runs an operation that find has named, after those steps before it that the inputs name. An id that the inputs ' +
        'leave out comes from an earlier step of the run.',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the operation.' },
          inputs: { type: 'object', description: 'The arguments of each step to run, by its name.' },
          fields: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'string' } },
            description: 'The fields to return, by step: {"shipment": ["id", "status", "sender.name"]}.',
          },
        },
        required: ['name'],
      },
    },
    steps: [],
    isOneStep: false,
  },
];

/** Whether a tool is the one that runs every operation by its name; that of a mutation may have the same name. */
export function runsAll({ definition, steps }: Tool): boolean {
  return definition.name === 'run' && steps.length === 0;
}
