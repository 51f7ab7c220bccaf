import { define } from '../define.js';

/** `GG5020` to `GG5039`: two topologies cannot be compared as asked. */
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
    message: ({ reason }) => `git could not do its part: ${reason}.`,
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
    message: ({ revision }) => `There is neither a revision nor a file ${revision}.`,
    hint: ({ revision, suggestion, shallow }) => {
      if (suggestion !== undefined) return `Did you mean ${suggestion}?`;
      if (shallow) {
        return 'This clone is shallow: fetch the history (git fetch --unshallow; with actions/checkout, fetch-depth: 0).';
      }
      return /[~^@]/.test(revision)
        ? 'The history may not go back that far; git log shows it.'
        : 'A file that is gone goes after two dashes: gg-svc diff HEAD -- gone.gg';
    },
  }),
  GG5024: define<{ place: string }>({
    severity: 'error',
    name: 'nothing-to-compare',
    message: ({ place }) => `There is no .gg file in ${place}, on neither side.`,
    hint: () => 'Say where the topology is: gg-svc diff HEAD -- path/to/service.gg',
  }),
  GG5025: define<{ topology: string; side: string }>({
    severity: 'error',
    name: 'topology-not-comparable',
    message: ({ topology, side }) =>
      `${topology} has errors in ${side}, so nobody can say what changed in its API.`,
    hint: () => 'The errors are shown above; gg-svc check finds them in the files as they are now.',
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
    message: ({ kind, expires }) =>
      `This waiver of ${kind} held until ${expires}; it lets nothing pass any more.`,
    hint: () => 'Remove it, or decide anew and give it another day.',
  }),
  GG5028: define<{ kind: string; coordinate: string }>({
    severity: 'warning',
    name: 'waiver-unused',
    message: ({ kind, coordinate }) =>
      `There is no change ${kind} of ${coordinate} for this waiver to let pass.`,
    hint: () => 'Remove it; what it was for is history by now, or was never called that.',
  }),
};
