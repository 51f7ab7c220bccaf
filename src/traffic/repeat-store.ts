import type { FirstRun } from '../http/exchange.js';

/** The requests that have run, or are running, by an id. */
export interface RepeatStore {
  /** Begins a request, unless it has begun. Rejects if the store cannot be reached. */
  begin(id: string, fingerprint: string): Promise<Begun>;
}

/** The request is the first; or there is one before it, perhaps with its answer. */
export type Begun =
  | { readonly run: FirstRun }
  | {
      readonly fingerprint: string;
      /** Undefined while the first request runs. */
      readonly answer: string | undefined;
      /** Settles when it is worth to ask again. */
      readonly settled: Promise<void>;
    };
