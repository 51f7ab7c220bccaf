import type { ToolCaller } from './call-tool.js';
import type { EventResources, ReadEvent } from './events.js';

/** The resources that a connection follows. A resource is followed once, whatever number of requests name it. */
export class Follower {
  readonly #followed = new Map<string, { users: number; readonly ending: AbortController }>();

  constructor(
    private readonly events: EventResources,
    private readonly notify: (uri: string, event: ReadEvent) => void,
  ) {}

  /** @throws {ProblemError} If the resource cannot be followed. */
  async follow(uri: string, caller: ToolCaller): Promise<void> {
    const known = this.#followed.get(uri);
    if (known !== undefined) {
      known.users += 1;
      return;
    }
    const ending = new AbortController();
    this.#followed.set(uri, { users: 1, ending });
    try {
      await this.events.follow(uri, caller, ending.signal, (event) => this.notify(uri, event));
    } catch (error) {
      this.#followed.delete(uri);
      throw error;
    }
  }

  release(uri: string): void {
    const known = this.#followed.get(uri);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    known.ending.abort();
    this.#followed.delete(uri);
  }

  close(): void {
    for (const { ending } of this.#followed.values()) ending.abort();
    this.#followed.clear();
  }
}
