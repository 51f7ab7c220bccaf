import type { GqlOperation } from '../../schema/gql-schema.js';
import type { Span } from '../../source/span.js';
import type { ChangeKind } from './change-kinds.js';
import type { ChangeLevel } from './change-level.js';

/** Which of the two schemas something is said of. */
export type Side = 'before' | 'after';

/** One difference between two schemas. Plain data. */
export interface SchemaChange {
  /** What kind of difference it is; with the coordinate, its identity: no two changes share both. */
  readonly kind: ChangeKind;
  readonly level: ChangeLevel;
  /**
   * What changed: a schema coordinate (`User.email`, `Query.readUser(id:)`, `@topology`) or a route
   * (`GET /api/readUser`).
   */
  readonly coordinate: string;
  /** One sentence, no final line break. */
  readonly message: string;
  /** Where it stands in the old topology; undefined when nothing there has to do with it. */
  readonly before: ChangePlace | undefined;
  /** Where it stands in the new topology; undefined when nothing there has to do with it. */
  readonly after: ChangePlace | undefined;
  readonly reach: ChangeReach;
}

/** One of the two places of a change. */
export interface ChangePlace {
  readonly span: Span;
  /** A few words for the place: `was String!`. */
  readonly note: string;
  /** False when the thing itself is not there, and the place is that of what would hold it. */
  readonly exact: boolean;
}

/** What a change can be felt through, by name, in the order of the schema. */
export interface ChangeReach {
  readonly queries: readonly string[];
  readonly mutations: readonly string[];
  readonly subscriptions: readonly string[];
  /** `GET /api/readUser` */
  readonly routes: readonly string[];
  /** The requests of the collection: `REST / readUser`, `GraphQL / readUser`. */
  readonly requests: readonly string[];
  /** False where there are so many that not all are named. */
  readonly isComplete: boolean;
}

/** What a rule finds: a change whose reach is yet to be worked out. */
export interface Finding extends Omit<SchemaChange, 'reach'> {
  readonly touch: Touch;
}

/** What a finding touches, so that its reach can be worked out in one of the two schemas. */
export type Touch =
  | {
      readonly in: Side;
      /** These operations and nothing else. */
      readonly operations: readonly GqlOperation[];
      /** Whether only REST can feel it. */
      readonly restOnly?: boolean;
    }
  | {
      readonly in: Side;
      /** Every operation through which the type can be reached. */
      readonly type: string;
      /** Of an object type: the field, so that requests that do not select it are left out. */
      readonly field?: string;
    };
