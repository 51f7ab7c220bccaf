/** An EventTarget that counts its listeners, since those of subscriptions that ended would leak. */
export class CountingEvents extends EventTarget {
  listening = 0;

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listening += 1;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listening -= 1;
    super.removeEventListener(...args);
  }
}
