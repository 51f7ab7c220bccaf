/**
 * The severity of a change for clients of the API: `breaking`, some calls that worked fail or get a response of
 * another shape; `dangerous`, calls still get a response, but it may differ in a way that callers do not expect;
 * `safe`, the change does not break any caller.
 */
export type ChangeLevel = 'breaking' | 'dangerous' | 'safe';

/** The levels, the worst first: the order in which changes are reported. */
export const changeLevels: readonly ChangeLevel[] = ['breaking', 'dangerous', 'safe'];
