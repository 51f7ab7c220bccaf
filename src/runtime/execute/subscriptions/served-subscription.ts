/** An open subscription, or a connection that serves some. */
export interface ServedSubscription {
  /** Called at shutdown: the subscription ends, but is not complete, so that its client continues elsewhere. */
  cut(): void;
  /** The name of the subscription; undefined for a connection. */
  readonly subscription?: string | undefined;
  readonly waiting?: number;
  /** Since when the oldest of them waits, by `performance.now()`. */
  readonly waitingSince?: number | undefined;
}
