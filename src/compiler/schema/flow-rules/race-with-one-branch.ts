import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { listIds } from '../edge-rules/edge-rules.js';
import type { FlowRule } from './flow-rule.js';

/** GG3020: the only branch of a race always wins, and the union has one member. */
export const raceWithOneBranch: FlowRule = ({ schema }) =>
  schema.unions.flatMap(({ name, members, edges: [origin] }) => {
    if (members.length !== 1 || origin === undefined) return [];
    const params = { target: origin.to, branch: listIds(origin.from), union: name };
    return [diagnose('GG3020', params, origin.span)];
  });
