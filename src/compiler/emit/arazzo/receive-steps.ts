import { defined } from '../../../base/values/defined.js';
import { takeName } from '../../graph/names.js';
import type { ArazzoDescription, ArazzoParameter, ArazzoStep } from './format.js';

/** The versions of the Arazzo Specification that workflows are written in. */
export const arazzoVersions = ['1.0', '1.1'] as const;

export type ArazzoVersion = (typeof arazzoVersions)[number];

/** The receipt of a message of `asyncapi.json` (Arazzo 1.1.0, Step Object with `channelPath`). */
interface ReceiveStep extends Pick<ArazzoStep, 'stepId' | 'description'> {
  readonly channelPath: string;
  readonly action: 'receive';
  /** In milliseconds. */
  readonly timeout: number;
  readonly parameters?: readonly ArazzoParameter[];
  readonly successCriteria?: ArazzoStep['successCriteria'];
}

/**
 * Writes workflows in Arazzo 1.1: each event that follows a step, an extension in 1.0, is a step that receives a message
 * of the AsyncAPI document. With two sources, the id of an operation has the name of its source.
 */
export function withReceiveSteps(document: ArazzoDescription) {
  const hasEvents = document.workflows.some(({ steps }) => steps.some((step) => step['x-events']));
  if (!hasEvents) return { ...document, arazzo: '1.1.0' };
  const source = { name: 'events', url: './asyncapi.json', type: 'asyncapi' };
  return {
    ...document,
    arazzo: '1.1.0',
    sourceDescriptions: [...document.sourceDescriptions, source],
    workflows: document.workflows.map((workflow) => {
      const taken = new Set(workflow.steps.map(({ stepId }) => stepId));
      return { ...workflow, steps: workflow.steps.flatMap((step) => stepsOf(step, taken)) };
    }),
  };
}

function stepsOf({ 'x-events': events = [], outputs, ...step }: ArazzoStep, taken: Set<string>): object[] {
  const ids = new Map(Object.entries(outputs ?? {}));
  const received = events.map(({ subscription, parameters, matches = {} }): ReceiveStep => {
    const successCriteria = Object.entries(matches).map(([field, expression]) => {
      const output = `event_${field}`;
      ids.set(output, expression);
      return { condition: `$message.payload#/${field} == $steps.${step.stepId}.outputs.${output}` };
    });
    return defined({
      stepId: takeName(taken, `${step.stepId}_${subscription}`),
      description: `The event ${subscription} follows. Subscribe to it before ${step.stepId}.`,
      channelPath: `{$sourceDescriptions.events.url}#/channels/${subscription}`,
      action: 'receive' as const,
      timeout: 10_000,
      parameters,
      successCriteria: successCriteria.length === 0 ? undefined : successCriteria,
    });
  });
  const operationId = `$sourceDescriptions.api.${step.operationId}`;
  const called = defined({ ...step, operationId, outputs: ids.size === 0 ? undefined : Object.fromEntries(ids) });
  return [called, ...received];
}
