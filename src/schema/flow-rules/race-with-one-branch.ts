import { diagnose } from '../../diagnostics/diagnostic.js';
import type { FlowRule } from './flow-rule.js';

/** GG3020: a race that has one branch in all is always won by it, and its union has one member. */
export const raceWithOneBranch: FlowRule = ({ schema }) =>
  schema.unions.flatMap(({ name, members, edges: [origin] }) => {
    if (members.length !== 1 || origin === undefined) return [];
    const params = { target: origin.to, branch: origin.from.join(' | '), union: name };
    return [diagnose('GG3020', params, origin.span)];
  });
