import { remember } from '../../../compiler/graph/maps.js';
import type { Located, NodeTerm, Property, Statement, Value } from '../../../compiler/syntax/ast.js';
import type { Segment } from '../document/segmented-text.js';

/** One place where a segment names something. Offsets are relative to the segment. */
export interface Mention extends Located {
  readonly kind: MentionKind;
  /** The name as it is written; for a file, the specifier. */
  readonly name: string;
  /** Whether the place declares what it names: a node with labels or properties, a value of an enum. */
  readonly declares: boolean;
  /** The id of its node; for a default, the name of its type; for arguments and edge types, the edge type. */
  readonly owner: string | undefined;
}

/** A `type` may turn out to be a string: a bare word that is not a type. `value` is a value of an enum. */
export type MentionKind = 'node' | 'label' | 'field' | 'argument' | 'type' | 'value' | 'edgeType' | 'file';

const known = new WeakMap<Segment, readonly Mention[]>();

/** All mentions of a segment, in source order, cached with the segment. */
export function mentionsOf(segment: Segment): readonly Mention[] {
  return remember(known, segment, () => new Collector().collect(segment.statements));
}

class Collector {
  readonly #mentions: Mention[] = [];

  collect(statements: readonly Statement[]): readonly Mention[] {
    for (const statement of statements) this.#statement(statement);
    return this.#mentions.sort((one, other) => one.start - other.start);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'Pipeline':
        for (const term of statement.head.nodes) this.#term(term);
        for (const { type, typeStart, properties, target } of statement.hops) {
          if (type !== '') this.#add('edgeType', type, typeStart, typeStart + type.length, false, type);
          for (const property of properties) this.#property(property, 'argument', type);
          for (const term of target.nodes) this.#term(term);
        }
        break;
      case 'CallChain':
        for (const { name, start, end } of statement.steps) this.#add('node', name, start, end);
        break;
      case 'Import': {
        const { specifier, specifierStart, specifierEnd } = statement;
        this.#add('file', specifier, specifierStart, specifierEnd);
        for (const { name, start, end } of statement.names ?? []) this.#add('node', name, start, end);
        break;
      }
      case 'Export':
        for (const { name, start, end } of statement.names) this.#add('node', name, start, end);
    }
  }

  #term({ id, start, labels, properties }: NodeTerm): void {
    this.#add('node', id, start, start + id.length, labels.length > 0 || properties.length > 0);
    for (const { name, start: at, end } of labels) this.#add('label', name, at, end, false, id);
    for (const property of properties) {
      if (property.key !== 'values' || property.value.kind !== 'List') {
        this.#property(property, 'field', id);
        continue;
      }
      this.#key(property, 'field', id);
      for (const item of property.value.items) this.#value(item, true, id);
    }
  }

  #property(property: Property, kind: 'field' | 'argument', owner: string): void {
    const { value, fallback } = property;
    this.#key(property, kind, owner);
    for (const argument of property.args ?? []) this.#property(argument, 'argument', `${owner}.${property.key}`);
    const type = innermostWord(value);
    if (type === undefined) return;
    this.#add('type', type.name, type.start, type.start + type.name.length);
    if (fallback !== undefined) this.#value(fallback, false, type.name);
  }

  #key({ key, start }: Property, kind: 'field' | 'argument', owner: string): void {
    this.#add(kind, key, start, start + key.length, true, owner);
  }

  /** A value of an enum, bare or in quotes; the quotes are not part of its name. */
  #value(value: Value, declares: boolean, owner: string): void {
    const { start, end } = value;
    if (value.kind === 'Word') {
      this.#add('value', value.name, start, start + value.name.length, declares, owner);
    } else if (value.kind === 'String' && value.value.length === end - start - 2) {
      this.#add('value', value.value, start + 1, end - 1, declares, owner);
    } else if (value.kind === 'List') {
      for (const item of value.items) this.#value(item, declares, owner);
    }
  }

  #add(kind: MentionKind, name: string, start: number, end: number, declares = false, owner?: string): void {
    this.#mentions.push({ kind, name, start, end, declares, owner });
  }
}

/** The word in a type expression; undefined for other values. */
function innermostWord(value: Value) {
  let inner = value;
  while (inner.kind === 'List' && inner.items.length === 1) inner = inner.items[0] as Value;
  return inner.kind === 'Word' ? inner : undefined;
}
