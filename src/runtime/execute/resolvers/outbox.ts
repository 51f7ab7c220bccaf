import type { FieldNode } from 'graphql';
import type { Lifetime } from '../../../base/values/run-until.js';

export interface MadeEvent {
  readonly subscription: string;
  readonly payload: unknown;
  /** The response name of the mutation's field, its nodes, and whether it must not be null. */
  readonly key: string;
  readonly nodes?: readonly FieldNode[] | undefined;
  readonly isRequired: boolean;
}

/** The events of an operation, which are published when it has ended. */
export class Outbox {
  /** Whether a mutation of the operation has returned. */
  hasChanged = false;
  /** The lifetime of the operation; undefined before it runs. */
  lifetime: Lifetime | undefined = undefined;
  #events: MadeEvent[] = [];

  add(event: MadeEvent): void {
    this.#events.push(event);
  }

  take(): readonly MadeEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  /** Whether the operation was given up, and may still be running. */
  get isGivenUp(): boolean {
    return this.lifetime?.isOver === true;
  }
}
