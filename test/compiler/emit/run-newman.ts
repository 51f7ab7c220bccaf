import { createRequire } from 'node:module';

/** What a run of a collection came to. */
export interface NewmanResult {
  readonly requests: number;
  readonly assertions: number;
  /** The messages of the assertions and scripts that failed. */
  readonly failures: readonly string[];
}

/** The part of Newman that is used here; it comes without types. */
interface Newman {
  run(
    options: { readonly collection: object; readonly reporters: readonly string[]; readonly envVar?: object },
    done: (error: Error | null, summary: NewmanSummary) => void,
  ): void;
}

interface NewmanSummary {
  readonly run: {
    readonly failures: readonly { readonly error: { readonly message: string } }[];
    readonly stats: Readonly<Record<'requests' | 'assertions', { readonly total: number }>>;
  };
}

/** Runs every request and test script of a collection. */
export function runNewman(collection: object, envVar: object = []): Promise<NewmanResult> {
  const newman = createRequire(import.meta.url)('newman') as Newman;
  return new Promise((resolve, reject) => {
    newman.run({ collection, reporters: [], envVar }, (error, { run }) => {
      if (error) return reject(error);
      const failures = run.failures.map((failure) => failure.error.message);
      resolve({ requests: run.stats.requests.total, assertions: run.stats.assertions.total, failures });
    });
  });
}
