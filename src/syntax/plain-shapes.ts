import type { NodeGroup, NodeTerm, Property, Value } from './ast.js';
import { textOfString } from './string-text.js';

/**
 * The two shapes that most of a topology is made of, `(name)` and `key: value`. A tree holds them as
 * offsets, checked by the grammar when it is built; names and values are cut out of the text when somebody
 * first reads them. A large tree is half the size for it, and the collector of garbage, which is what
 * parsing a large file waits for, has half the objects to move.
 */
export class PlainGroup implements NodeGroup {
  private read: readonly NodeTerm[] | undefined = undefined;

  constructor(
    private readonly text: string,
    readonly start: number,
    private readonly idStart: number,
    private readonly idEnd: number,
    readonly end: number,
  ) {}

  get nodes(): readonly NodeTerm[] {
    if (this.read === undefined) {
      const { idStart: start, idEnd: end } = this;
      const id = this.text.slice(start, end);
      this.read = [{ id, labels: none, properties: none, doc: undefined, start, end }];
    }
    return this.read;
  }

  /** The same data as a plain object. */
  toJSON(): NodeGroup {
    return { nodes: this.nodes, start: this.start, end: this.end };
  }
}

/** What the value of a plain property is made of. */
export enum PlainKind {
  String,
  Number,
  Word,
  RequiredWord,
}

/** `key: value`, where the value is one token, or a word and its `!`. */
export class PlainProperty implements Property {
  private read: Value | undefined = undefined;

  constructor(
    private readonly text: string,
    readonly start: number,
    private readonly keyEnd: number,
    private readonly kind: PlainKind,
    private readonly valueStart: number,
    private readonly valueEnd: number,
    readonly end: number,
  ) {}

  get key(): string {
    return this.text.slice(this.start, this.keyEnd);
  }

  get value(): Value {
    this.read ??= this.readValue();
    return this.read;
  }

  get fallback(): undefined {
    return undefined;
  }

  get doc(): undefined {
    return undefined;
  }

  /** The same data as a plain object. */
  toJSON(): Property {
    const { key, value, start, end } = this;
    return { key, value, fallback: undefined, doc: undefined, start, end };
  }

  private readValue(): Value {
    const { text, valueStart, valueEnd, end } = this;
    switch (this.kind) {
      case PlainKind.String:
        return { kind: 'String', value: textOfString(text, valueStart, end), start: valueStart, end };
      case PlainKind.Number:
        return numberAt(text, valueStart, end);
      case PlainKind.Word:
        return wordAt(text, valueStart, end);
      case PlainKind.RequiredWord:
        return {
          kind: 'Word',
          name: text.slice(valueStart, valueEnd),
          nonNull: true,
          start: valueStart,
          end,
        };
    }
  }
}

/** The number between two offsets. */
export function numberAt(text: string, start: number, end: number): Value {
  const digits = text.slice(start, end);
  return { kind: 'Number', value: Number(digits), integer: !/[.eE]/.test(digits), start, end };
}

/** The word between two offsets, which may be one of the three that are values of their own. */
export function wordAt(text: string, start: number, end: number): Value {
  const name = text.slice(start, end);
  if (name === 'true' || name === 'false') return { kind: 'Boolean', value: name === 'true', start, end };
  if (name === 'null') return { kind: 'Null', start, end };
  return { kind: 'Word', name, nonNull: false, start, end };
}

const none: readonly never[] = [];
