import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type FedSubscription, fedSubscriptions } from '../fed-subscriptions.js';
import type { GqlObjectType } from '../gql-schema.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3050 and GG3051: an event is the result of a mutation. A required field of the event that the result does not have
 * makes every event an error, and an argument that the result does not have filters every event out. Results that are
 * unions are not examined, and neither are subscriptions without a mutation (GG3019).
 */
export const eventNeverArrives: FlowRule = ({ schema }) => fedSubscriptions(schema).flatMap(examine);

function examine({ subscription, event, mutations }: FedSubscription): readonly Diagnostic[] {
  const [origin] = subscription.edges;
  const isComplete = subscription.arguments.length === 0 && mutations.every(({ missing }) => missing.length === 0);
  if (origin === undefined || isComplete) return [];
  const findings: Diagnostic[] = [];
  const reported = new Set<string>();
  for (const { mutation, result, missing } of mutations) {
    const fields = missing.map(({ name }) => name).filter((name) => !reported.has(name));
    const [first] = missing;
    if (fields.length === 0 || first === undefined || result === undefined) continue;
    for (const name of fields) reported.add(name);
    const params = { event: event.name, fields, mutation: mutation.name, result: result.name };
    findings.push(diagnose('GG3050', params, first.span ?? origin.span));
  }
  const results = mutations.flatMap(({ result }) => result ?? []);
  if (results.length < mutations.length) return findings;
  for (const { name, span } of subscription.arguments) {
    const isCarried = ({ fields }: GqlObjectType) => fields.some((field) => field.name === name);
    const own = event.fields.find((field) => field.name === name);
    if (reported.has(name) || own?.fallback !== undefined || results.some(isCarried)) continue;
    const names = [...new Set(results.map((result) => result.name))];
    const params = { argument: name, subscription: subscription.name, results: names };
    findings.push(diagnose('GG3051', params, span ?? origin.span));
  }
  return findings;
}
