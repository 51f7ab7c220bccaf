import { define } from './define.js';

/** `GG5020` to `GG5039`: errors of comparing two topologies. */
export const diffCodes = {
  GG5020: define<{ directory: string }>({
    severity: 'error',
    name: 'not-a-repository',
    message: ({ directory }) =>
      `${directory} is not in a git repository, so there is no revision to compare with.`,
    hint: () => 'Compare two files or directories instead: gg-svc diff old.gg new.gg',
  }),
  GG5021: define<{ reason: string }>({
    severity: 'error',
    name: 'git-failed',
    message: ({ reason }) => `git failed: ${reason}.`,
  }),
  GG5022: define<{ directory: string }>({
    severity: 'error',
    name: 'no-commits',
    message: ({ directory }) =>
      `The git repository of ${directory} has no commit yet, so there is nothing to compare with.`,
    hint: () => 'Commit once, or compare two files: gg-svc diff old.gg new.gg',
  }),
  GG5023: define<{ revision: string; suggestion: string | undefined; shallow: boolean }>({
    severity: 'error',
    name: 'unknown-revision',
    message: ({ revision }) => `${revision} is neither a git revision nor a file.`,
    hint: ({ revision, suggestion, shallow }) => {
      if (suggestion !== undefined) return `Did you mean ${suggestion}?`;
      if (shallow) {
        return 'This clone is shallow: fetch the history (git fetch --unshallow; with actions/checkout, fetch-depth: 0).';
      }
      return /[~^@]/.test(revision)
        ? 'The history may not go back that far; git log shows it.'
        : 'Put a deleted file after two dashes: gg-svc diff HEAD -- deleted.gg';
    },
  }),
  GG5024: define<{ place: string }>({
    severity: 'error',
    name: 'nothing-to-compare',
    message: ({ place }) => `Neither side has a .gg file in ${place}.`,
    hint: () => 'Name the topology: gg-svc diff HEAD -- path/to/service.gg',
  }),
  GG5025: define<{ topology: string; side: string }>({
    severity: 'error',
    name: 'topology-not-comparable',
    message: ({ topology, side }) => `${topology} has errors in ${side}, so its API cannot be compared.`,
    hint: () => 'Fix the errors above; gg-svc check lists those of the current files.',
  }),
  GG5026: define<{ path: string; reason: string }>({
    severity: 'error',
    name: 'waivers-malformed',
    message: ({ path, reason }) => `The waivers in ${path} cannot be used: ${reason}.`,
    hint: () =>
      'A waiver is { "kind": "field-removed", "coordinate": "User.email", "reason": "…", "expires": "2030-12-31" }.',
  }),
  GG5027: define<{ kind: string; expires: string }>({
    severity: 'warning',
    name: 'waiver-expired',
    message: ({ kind, expires }) => `This waiver of ${kind} expired after ${expires}.`,
    hint: () => 'Remove it, or set a later date.',
  }),
  GG5028: define<{ kind: string; coordinate: string }>({
    severity: 'warning',
    name: 'waiver-unused',
    message: ({ kind, coordinate }) => `No change matches this waiver: ${kind} of ${coordinate}.`,
    hint: () => 'Remove it, or correct its kind and coordinate.',
  }),
};
