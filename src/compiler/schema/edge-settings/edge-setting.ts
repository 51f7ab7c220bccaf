import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { GraphEdge, GraphNode, Setting } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { GqlArgument, GqlOperation, OperationKind } from '../gql-schema.js';

/**
 * A setting of edges that becomes a part of their operation. The edges of one operation must agree on it (GG3037), and
 * a value of another kind is an error (GG2018).
 */
export interface EdgeSetting {
  readonly key: string;
  /** The kinds of operations that it has a meaning for. */
  readonly kinds: readonly OperationKind[];
  /** The list in which the values of several edges are joined; absent if they must agree. */
  readonly joins?: 'scopes' | 'throws';
  /** Its effect, for editors. */
  readonly detail: string;
  /** The begin of a value, which an editor inserts. */
  readonly snippet: string;
  /** The values that it takes, for messages. */
  readonly expected: string | ((kind: OperationKind) => string);
  /** Whether a value behind a misspelt key can be meant as one of this setting, and not as a note of the author. */
  readonly isMeant: (value: JsonValue) => boolean;
  /**
   * Makes the part of the operation from a value; undefined for a value of another kind. Reports what is wrong with it
   * otherwise.
   */
  readonly read: (setting: Setting, scope: SettingScope) => OperationPart | undefined;
}

/** The part of an operation that a setting gives. */
export type OperationPart = Partial<Omit<GqlOperation, OwnPart>>;

/** The parts of an operation that its edges have themselves, or that follow from others. */
type OwnPart =
  | ('kind' | 'name' | 'description' | 'arguments' | 'type' | 'edges')
  | ('deprecated' | 'tags' | 'oldNames' | 'renamed' | 'vent');

/** The operation that a setting is read for. */
export interface SettingScope {
  readonly kind: OperationKind;
  readonly operation: string;
  readonly edges: readonly GraphEdge[];
  readonly arguments: readonly GqlArgument[];
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Whether the type of an argument is a scalar or an enum. */
  readonly isLeaf: (type: string) => boolean;
  readonly report: (diagnostic: Diagnostic) => void;
}
