import { docTags } from '../../../compiler/graph/doc-tags.js';
import { textOfString } from '../../../compiler/syntax/literals.js';
import type { DraftEdge, DraftEnumValue, DraftNode, DraftSetting, DraftTag, DraftValue } from './draft.js';

/** A part of the written text that can be left out. */
export interface WrittenPart {
  readonly start: number;
  end: number;
  readonly place: string;
  /** The part, for the report: `field Pet.name`. */
  readonly subject: string;
  readonly item: DraftItem;
  /** The node or the edge that it belongs to. */
  readonly owner: DraftNode | DraftEdge;
}

/** Everything in a draft that the topology can lack. */
export type DraftItem = DraftNode | DraftEdge | DraftValue | DraftEnumValue | DraftSetting | DraftTag;

/** The text of a draft, not formatted, and its parts in the order of their starts; inner parts follow the outer ones. */
export interface WrittenDraft {
  readonly text: string;
  readonly parts: readonly WrittenPart[];
}

/** Writes the nodes and the edges of a draft without the items that are left out. */
export function writeDraft(
  nodes: readonly DraftNode[],
  edges: readonly DraftEdge[],
  leftOut: ReadonlySet<object>,
): WrittenDraft {
  const writer = new DraftWriter(leftOut);
  for (const node of nodes) if (!leftOut.has(node)) writer.addNode(node);
  for (const edge of edges) if (!leftOut.has(edge)) writer.addEdge(edge);
  return { text: writer.text(), parts: writer.parts };
}

/** A text in quotes; undefined if topologies cannot quote it. */
export function quoteText(text: string): string | undefined {
  if (/[\r\n]/.test(text)) return undefined;
  const quoted = `'${text.replaceAll("'", "\\'").replaceAll('"', '\\"')}'`;
  return textOfString(quoted) === text && !/(?<!\\)(?:\\\\)*\\'$/.test(quoted) ? quoted : undefined;
}

class DraftWriter {
  readonly parts: WrittenPart[] = [];
  readonly #leftOut: ReadonlySet<object>;
  readonly #chunks: string[] = [];
  #length = 0;

  constructor(leftOut: ReadonlySet<object>) {
    this.#leftOut = leftOut;
  }

  text(): string {
    return this.#chunks.join('');
  }

  addNode(node: DraftNode): void {
    const { id, labels, typeName, place } = node;
    this.#part(node, place, `type ${typeName}`, node, () => {
      this.#addDoc(node.description, node.tags ?? [], node, place, `type ${typeName}`);
      this.#add(`(${id}${labels.map((label) => `:${label}`).join('')}`);
      const settings = this.#kept(node.settings);
      const values = this.#kept(node.values ?? []);
      const fields = this.#kept(node.fields);
      const isShort = ![...values, ...fields].some(isDocumented);
      const hasMembers = settings.length + values.length + fields.length > 0;
      if (hasMembers) this.#add(isShort ? ' { ' : ' {\n');
      for (const setting of settings) this.#addSetting(setting, node, `type ${typeName}`);
      if (values.length > 0) {
        this.#add(isShort ? 'values: [' : 'values: [\n');
        for (const value of values) {
          const subject = `value ${typeName}.${value.name}`;
          this.#part(value, value.place, subject, node, () => {
            this.#addDoc(value.description, value.tags ?? [], node, value.place, subject);
            this.#add(`${isPlainWord(value.name) ? value.name : `'${value.name}'`},${isShort ? ' ' : '\n'}`);
          });
        }
        this.#add('],');
      }
      for (const field of fields) this.#addValue(field, node, `field ${typeName}.${field.name}`);
      this.#add(hasMembers ? '})\n' : ')\n');
    });
  }

  addEdge(edge: DraftEdge): void {
    const { type, from, to, place, subject } = edge;
    this.#part(edge, place, subject, edge, () => {
      this.#addDoc(edge.description, edge.tags ?? [], edge, place, subject);
      this.#add(`(${from.join(' | ')})-[:${type}`);
      const settings = this.#kept(edge.settings);
      const args = this.#kept(edge.arguments);
      const hasMembers = settings.length + args.length > 0;
      if (hasMembers) this.#add(args.some(isDocumented) ? ' {\n' : ' { ');
      for (const setting of settings) this.#addSetting(setting, edge, subject);
      for (const one of args) this.#addValue(one, edge, `argument ${one.name} of ${subject}`);
      this.#add(`${hasMembers ? '}' : ''}]->(${to})\n`);
    });
  }

  #addSetting(setting: DraftSetting, owner: DraftNode | DraftEdge, of: string): void {
    this.#part(setting, setting.place, `${setting.key} of ${of}`, owner, () => {
      this.#add(`${setting.key}: ${setting.text}, `);
    });
  }

  #addValue(value: DraftValue, owner: DraftNode | DraftEdge, subject: string): void {
    this.#part(value, value.place, subject, owner, () => {
      this.#addDoc(value.description, value.tags ?? [], owner, value.place, subject);
      this.#add(value.name);
      const args = this.#kept(value.arguments ?? []);
      if (args.length > 0) {
        this.#add(args.some(isDocumented) ? '(\n' : '(');
        for (const one of args) this.#addValue(one, owner, `argument ${one.name} of ${subject}`);
        this.#add(')');
      }
      this.#add(`: ${value.type}${value.fallback === undefined ? '' : ` = ${value.fallback}`}, `);
    });
  }

  #addDoc(
    description: string | undefined,
    tags: readonly DraftTag[],
    owner: DraftNode | DraftEdge,
    place: string,
    subject: string,
  ): void {
    if (description !== undefined && description !== '') {
      this.#addLineBreak();
      for (const line of description.split(/\r\n|[\r\n]/))
        this.#add(`/// ${plainLine(line)}`.trimEnd().concat('\n'));
    }
    for (const tag of this.#kept(tags)) {
      this.#part(tag, place, `@${tag.name} of ${subject}`, owner, () => {
        this.#addLineBreak();
        this.#add(`/// @${tag.name} ${tag.text}\n`);
      });
    }
  }

  #kept<Item extends object>(items: readonly Item[]): readonly Item[] {
    return items.filter((item) => !this.#leftOut.has(item));
  }

  #part(
    item: DraftItem,
    place: string,
    subject: string,
    owner: DraftNode | DraftEdge,
    write: () => void,
  ): void {
    const part: WrittenPart = { start: this.#length, end: 0, place, subject, item, owner };
    this.parts.push(part);
    write();
    part.end = this.#length;
  }

  /** Documentation begins on a line of its own. */
  #addLineBreak(): void {
    if (this.#chunks.at(-1)?.endsWith('\n') === false) this.#add('\n');
  }

  #add(text: string): void {
    this.#chunks.push(text);
    this.#length += text.length;
  }
}

function isDocumented({ description, tags = [], ...value }: DraftValue | DraftEnumValue): boolean {
  const args = 'arguments' in value ? (value.arguments ?? []) : [];
  return description !== undefined || tags.length > 0 || args.some(isDocumented);
}

/** Words that a topology reads as literals. */
function isPlainWord(name: string): boolean {
  return name !== 'true' && name !== 'false' && name !== 'null';
}

/** A line that begins with the name of a tag would be one. */
function plainLine(line: string): string {
  const [, indent = '', name = ''] = /^(\s*)@([A-Za-z]\w*)/.exec(line) ?? [];
  return docTags.has(name) ? `${indent}\u200b${line.slice(indent.length)}` : line;
}
