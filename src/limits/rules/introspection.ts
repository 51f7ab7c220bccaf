import type { ValidationRule } from 'graphql';
import { refusal } from './limit-error.js';
import { asksForSchema } from './measure.js';

/** `introspection`: clients may not query the schema. `__typename` describes a value and stays allowed. */
export const forbidIntrospection: ValidationRule = (context) => ({
  Field(node) {
    if (!asksForSchema(node)) return;
    const message = `Introspection is off: ${node.name.value} is not available.`;
    context.reportError(refusal('INTROSPECTION_DISABLED', message, {}, node));
  },
});
