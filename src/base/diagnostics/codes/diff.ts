import { error, warning } from './define.js';

/** `GG5020` to `GG5039`: findings of comparing two topologies, and of names that others depend on. */
export const diffCodes = {
  GG5020: error(
    'not-a-repository',
    '{directory} is not in a git repository, so there is no revision to compare with.',
    'Compare two files or directories instead: gg-svc diff old.gg new.gg',
  ),
  GG5021: error('git-failed', 'git failed: {reason}.'),
  GG5022: error(
    'no-commits',
    'The git repository of {directory} has no commit yet, so there is nothing to compare with.',
    'Commit once, or compare two files: gg-svc diff old.gg new.gg',
  ),
  GG5023: error(
    'unknown-revision',
    '{revision} is neither a git revision nor a file.',
    ({ revision, suggestion, shallow }: UnknownRevision) => {
      if (suggestion !== undefined) return `Did you mean ${suggestion}?`;
      if (shallow) {
        return 'This clone is shallow: fetch the history (git fetch --unshallow; with actions/checkout, fetch-depth: 0).';
      }
      return /[~^@]/.test(revision)
        ? 'The history may not go back that far; git log shows it.'
        : 'Put a deleted file after two dashes: gg-svc diff HEAD -- deleted.gg';
    },
  ),
  GG5024: error(
    'nothing-to-compare',
    'Neither side has a .gg file in {place}.',
    'Name the topology: gg-svc diff HEAD -- path/to/service.gg',
  ),
  GG5025: error(
    'topology-not-comparable',
    '{topology} has errors in {side}, so its API cannot be compared.',
    'Fix the errors above; gg-svc check lists those of the current files.',
  ),
  GG5026: error(
    'waivers-malformed',
    'The waivers in {path} cannot be used: {reason}.',
    ({ isRename }: MalformedWaivers) =>
      isRename
        ? 'Write the old name into the topology, above the edge or the field: /// @renamedFrom readUser until 2027-06. The server keeps it as a deprecated alias, and its removal after that month needs no waiver.'
        : 'A waiver is { "kind": "field-removed", "coordinate": "User.email", "reason": "…", "expires": "2030-12-31" }.',
  ),
  GG5027: warning(
    'waiver-expired',
    'This waiver of {kind} expired after {expires}.',
    'Remove it, or set a later date.',
  ),
  GG5028: warning(
    'waiver-unused',
    'No change matches this waiver: {kind} of {coordinate}.',
    'Remove it, or correct its kind and coordinate.',
  ),
  GG5029: warning(
    'old-name-expired',
    'The old name {old} of {current} was announced until {until}.',
    'Remove @renamedFrom, or set a later month.',
  ),
  GG5030: warning(
    'name-not-portable',
    '{tool} cannot use the name {name}: {reason}.',
    'Rename the node or the value, or tell the generator to rename it.',
  ),
};

type MalformedWaivers = { path: string; reason: string; isRename: boolean };

type UnknownRevision = { revision: string; suggestion: string | undefined; shallow: boolean };
