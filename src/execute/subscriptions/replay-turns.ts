/** The number of events that all replays of a process may read before it handles its connections again. */
const eventsOfTurn = 25;

let read = 0;
let turn: Promise<void> | undefined;

/**
 * Counts an event that is replayed from a log. A log in memory answers at once, so many clients that resume would keep the
 * process from everything else: all replays share what one turn of the event loop has room for, and take turns.
 */
export async function replayTurn(): Promise<void> {
  while (read >= eventsOfTurn) {
    turn ??= new Promise((resolve) => {
      nextTurn(() => {
        read = 0;
        turn = undefined;
        resolve();
      });
    });
    await turn;
  }
  read += 1;
}

/** Workers have no `setImmediate`. */
function nextTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback);
  else setTimeout(callback, 0);
}
