import { cloudEventOf } from '../../api/cloud-event.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { JsonSchema } from './type-schema.js';

/** The schema of the CloudEvents of a subscription (CloudEvents 1.0, JSON event format). */
export function cloudEventSchema(operation: GqlOperation, data: JsonSchema): JsonSchema {
  const { specversion, source, type, datacontenttype } = cloudEventOf(operation, { id: '', data: null });
  return {
    type: 'object',
    properties: {
      specversion: { type: 'string', const: specversion },
      id: { type: 'string', minLength: 1, description: 'Identifies the event together with its source.' },
      source: { type: 'string', const: source },
      type: { type: 'string', const: type },
      subject: { type: 'string', minLength: 1, description: 'The field `id` of the data, if it has one.' },
      time: { type: 'string', format: 'date-time', description: 'When the event was stored.' },
      traceparent: { type: 'string', description: 'The span that published the event (W3C Trace Context).' },
      datacontenttype: { type: 'string', const: datacontenttype },
      data,
    },
    required: ['specversion', 'id', 'source', 'type', 'datacontenttype', 'data'],
  };
}
