import type { FieldNode } from 'graphql';
import type { PropertyReads } from '../../../base/values/property-reads.js';
import { type Cancellation, Lifetime } from '../../../base/values/run-until.js';
import type { Owner } from '../../auth/owner.js';
import type { MutationKey } from '../../repeats/repeats.js';

/**
 * The root value of queries and mutations. graphql-js passes it to resolvers as `info.rootValue`; the resolvers of root
 * fields do not get it as their parent.
 */
export class OperationRoot {
  /**
   * @param lifetime - Has the signal, and may create it on first access.
   * @param outbox - Takes the events of mutations; undefined for queries and subscriptions.
   * @param owner - The caller as the owner of data; undefined if the operation reads no data with an owner, or may read all.
   */
  constructor(
    private readonly lifetime: { readonly signal?: AbortSignal | undefined } | undefined,
    readonly outbox?: Outbox | undefined,
    readonly owner?: Owner | undefined,
  ) {}

  get signal(): AbortSignal | undefined {
    return this.lifetime?.signal;
  }

  /** The signal, or something that costs less than one. */
  get cancellation(): Cancellation | undefined {
    const { lifetime } = this;
    if (lifetime instanceof Lifetime) return lifetime;
    return lifetime instanceof OperationRoot ? lifetime.cancellation : lifetime?.signal;
  }
}

/** The root value of an operation that graphql-js continues after a compiled plan. */
export class ResumedRoot extends OperationRoot {
  constructor(
    readonly root: OperationRoot,
    readonly reads: PropertyReads,
  ) {
    super(root, root.outbox, root.owner);
  }
}

/** The value that stands for an operation or an event, whoever executes it. */
export function identityOf(root: unknown): unknown {
  return root instanceof ResumedRoot ? root.root : root;
}

class EventRoot extends OperationRoot {
  constructor(
    owner: Owner,
    readonly event: unknown,
  ) {
    super(undefined, undefined, owner);
  }
}

/** The root value of an event: the event itself, unless some of it belongs to owners. */
export function eventRoot(opened: unknown, event: unknown): unknown {
  const owner = opened instanceof OperationRoot ? opened.owner : undefined;
  return owner === undefined ? event : new EventRoot(owner, event);
}

export function eventOf(root: unknown): unknown {
  return root instanceof EventRoot ? root.event : root;
}

export interface MadeEvent {
  readonly subscription: string;
  readonly payload: unknown;
  /** The id with which a store has committed it; undefined if it is committed nowhere. */
  readonly id?: string | undefined;
  /** The response name of the mutation's field, its nodes, and whether it must not be null. */
  readonly key: string;
  readonly nodes?: readonly FieldNode[] | undefined;
  readonly isRequired: boolean;
}

/** The ids of the events that a store has committed with the rows of a mutation, by subscription. */
export type CommittedEvents = Readonly<Record<string, string>>;

/** The events of an operation, which are published when it has ended. */
export class Outbox {
  /** The subscriptions that get the result of a mutation, by the response name of its field. */
  readonly subscriptions = new Map<string, readonly string[]>();
  /** By the response name of the mutation's field. An event without an id was published by an earlier run of the key. */
  readonly committed = new Map<string, CommittedEvents>();
  /** Takes the id of an event that was published, so that no other process publishes it; set with {@link committed}. */
  onPublished: ((id: string) => void) | undefined = undefined;
  /** Whether a mutation of the operation had run before, with the same key: its result was found in the store. */
  isReplayed = false;
  /** Whether a mutation of the operation has returned. */
  hasChanged = false;
  /** The lifetime of the operation; undefined before it runs. */
  lifetime: { readonly isOver?: boolean } | undefined = undefined;
  #events: MadeEvent[] = [];

  constructor(readonly key?: MutationKey) {}

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
