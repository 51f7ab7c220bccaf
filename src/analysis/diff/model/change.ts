import type { Span } from '../../../base/source/span.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import type { ChangeKind } from './change-kinds.js';
import type { ChangeLevel } from './change-level.js';

/** One of the two compared schemas. */
export type Side = 'before' | 'after';

/** One difference between two schemas. Plain data. */
export interface SchemaChange {
  /** The kind of difference. Kind and coordinate together identify a change. */
  readonly kind: ChangeKind;
  readonly level: ChangeLevel;
  /**
   * The changed part: a schema coordinate (`User.email`, `Query.readUser(id:)`, `@topology`) or a route
   * (`GET /api/readUser`).
   */
  readonly coordinate: string;
  /** One sentence, without a final line break. */
  readonly message: string;
  /** Its place in the old topology; undefined if nothing there corresponds to it. */
  readonly before: ChangePlace | undefined;
  /** Its place in the new topology; undefined if nothing there corresponds to it. */
  readonly after: ChangePlace | undefined;
  readonly reach: ChangeReach;
}

/** One of the two places of a change. */
export interface ChangePlace {
  readonly span: Span;
  /** A short note on the place: `was String!`. */
  readonly note: string;
  /** False if the thing itself is absent, and the place is that of its parent. */
  readonly exact: boolean;
}

/** The names of everything that a change reaches, in the order of the schema. */
export interface ChangeReach {
  readonly queries: readonly string[];
  readonly mutations: readonly string[];
  readonly subscriptions: readonly string[];
  /** `GET /api/readUser` */
  readonly routes: readonly string[];
  /** The requests of the collection: `REST / readUser`, `GraphQL / readUser`. */
  readonly requests: readonly string[];
  /** False if the lists are cut off. */
  readonly isComplete: boolean;
}

/** The result of a rule: a change whose reach is not computed yet. */
export interface Finding extends Omit<SchemaChange, 'reach'> {
  readonly touch: Touch;
}

/** The parts that a finding touches: the input for computing its reach in one of the two schemas. */
export type Touch =
  | {
      readonly in: Side;
      /** These operations and nothing else. */
      readonly operations: readonly GqlOperation[];
      /** Whether it affects REST only. */
      readonly restOnly?: boolean;
      /** Whether it is about rows, so that it has its level without operations too. */
      readonly isData?: true;
    }
  | {
      readonly in: Side;
      /** Every operation through which the type can be reached. */
      readonly type: string;
      /** The field of an object type, to exclude requests that do not select it. */
      readonly field?: string;
      readonly isData?: true;
    };
