/**
 * The severity of a change for clients of the API: `breaking`, some calls that worked fail or are
 * answered in another shape; `dangerous`, they are still answered, but may mean something else or meet
 * what the caller did not expect; `safe`, no caller can tell to its harm.
 */
export type ChangeLevel = 'breaking' | 'dangerous' | 'safe';

/** The levels, the worst first: the order in which changes are reported. */
export const changeLevels: readonly ChangeLevel[] = ['breaking', 'dangerous', 'safe'];
