import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type AccessClause, clausesOf, joinAccess, lackingClauses } from '../../graph/access.js';
import { appendTo } from '../../graph/maps.js';
import { baseName } from '../../graph/type-ref.js';
import { fedSubscriptions } from '../../schema/fed-subscriptions.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { demands, type LeakRule, spanOf, startOf, wordsOf } from './ways.js';

/** GG3081: the events of a subscription have values that its subscribers may not read. */
export const eventLeaks: LeakRule = (schema, ways) => [
  ...ofCopiedFields(schema),
  ...ofQueriedTypes(schema, (name) => ways.typesOf(name)[0] ?? {}),
];

/** A field of the event takes its value from the field of that name in the result of a mutation. */
function* ofCopiedFields(schema: GqlSchema): Iterable<Diagnostic> {
  for (const { subscription, event, mutations } of fedSubscriptions(schema)) {
    if (subscription.open !== undefined) continue;
    for (const { mutation, result } of mutations) {
      if (result === undefined || result === event) continue;
      for (const field of event.fields) {
        const copied = result.fields.find(({ name }) => name === field.name);
        if (copied === undefined) continue;
        const wanted = joinAccess(result, copied);
        const lacking = lackingClauses(wanted, subscription, event, field);
        if (lacking.length === 0) continue;
        const steps = [
          ...startOf(mutation).steps,
          `FORK ${subscription.name}`,
          `${event.name}.${field.name} of ${result.name}.${copied.name}`,
        ];
        yield leak(subscription, steps, lacking);
      }
    }
  }
}

/** A subscription of a type must demand whatever each query of that type demands. */
function* ofQueriedTypes(
  { queries, subscriptions }: GqlSchema,
  typeOf: (name: string) => Parameters<typeof demands>[0],
): Iterable<Diagnostic> {
  const queriesOf = new Map<string, GqlOperation[]>();
  for (const query of queries) appendTo(queriesOf, query.page?.node ?? baseName(query.type), query);
  for (const subscription of subscriptions) {
    if (subscription.open !== undefined) continue;
    const event = baseName(subscription.type);
    const [first, ...others] = queriesOf.get(event) ?? [];
    if (first === undefined) continue;
    const isMet = (clause: AccessClause): boolean =>
      demands(subscription, clause) ||
      demands(typeOf(event), clause) ||
      (clause.kind === 'owner' && clausesOf(subscription).some(({ kind }) => kind === 'owner'));
    const lacking = clausesOf(first).filter(
      (clause) => others.every((other) => demands(other, clause)) && !isMet(clause),
    );
    if (lacking.length === 0) continue;
    const [root = ''] = startOf(subscription).steps;
    yield leak(subscription, [root, `FORK ${subscription.name}`, event], lacking, first);
  }
}

function leak(
  subscription: GqlOperation,
  steps: readonly string[],
  lacking: readonly AccessClause[],
  query?: GqlOperation,
): Diagnostic {
  const params = { operation: subscription.name, ...wordsOf({ steps, lacking }) };
  const labels = query && [{ span: spanOf(query), message: `${query.name} demands it` }];
  return diagnose('GG3081', params, spanOf(subscription), labels && { labels });
}
