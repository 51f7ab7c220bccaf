/** The run of a chain, of which a monitor follows the steps. */
export interface FollowedRun {
  readonly id: string;
  readonly chain: string;
  readonly isDurable: boolean;
  /** When it began, in milliseconds since 1970; absent if that is now. */
  readonly start?: number | undefined;
  /** Its steps, in the order in which they run. */
  readonly steps: readonly { readonly name: string; readonly coordinate: string }[];
}

/** The states of a step whose turn has come: it waits for its event or its time, or has begun. A step that is `retrying` runs again later. */
export type StepState = 'waiting' | 'running' | 'retrying' | 'done' | 'failed' | 'undone';

/** What has happened in a run: to one of its steps, or to the run as a whole. */
export type RunNews =
  | { readonly step: string; readonly state: StepState; readonly detail?: string | undefined }
  | {
      readonly step?: undefined;
      readonly state: 'undoing' | 'completed' | 'failed' | 'cancelled';
      readonly detail?: string;
      /** When it ended, in milliseconds since 1970; absent if that is now. */
      readonly at?: number | undefined;
    };
