import { docTags } from '../../../compiler/graph/doc-tags.js';
import { textOfString } from '../../../compiler/syntax/literals.js';
import type { Draft, DraftEdge, DraftNode, DraftPart, DraftSetting, DraftTag, DraftValue, Loss } from './draft.js';

/** A part of the written text that can be left out. */
export interface WrittenPart extends Omit<Loss, 'reason'> {
  readonly start: number;
  end: number;
  readonly item: DraftItem;
  /** The node or the edge that it belongs to. */
  readonly owner: DraftNode | DraftEdge;
}

type DraftItem = DraftPart | DraftSetting | DraftTag;

/**
 * Writes the nodes and the edges of a draft without the items that are left out.
 *
 * @returns The text, not formatted, and its parts in the order of their starts; inner parts follow the outer ones.
 */
export function writeDraft({ nodes, edges }: Draft, leftOut: ReadonlySet<object>) {
  const parts: WrittenPart[] = [];
  const chunks: string[] = [];
  let length = 0;
  let owner: DraftNode | DraftEdge;
  const kept = <Item extends object>(items: readonly Item[] = []) => items.filter((item) => !leftOut.has(item));
  const add = (text: string): void => {
    chunks.push(text);
    length += text.length;
  };
  const addPart = (item: DraftItem, place: string, subject: string, addContent: () => void): void => {
    const part: WrittenPart = { start: length, end: 0, place, subject, item, owner };
    parts.push(part);
    addContent();
    part.end = length;
  };
  /** Documentation begins on a line of its own. */
  const addLineBreak = (): void => {
    if (chunks.at(-1)?.endsWith('\n') === false) add('\n');
  };
  const addDocumented = (item: DraftPart, subject: string, addContent: () => void): void =>
    addPart(item, item.place, subject, () => {
      if (item.description !== undefined && item.description !== '') {
        addLineBreak();
        for (const line of item.description.split(/\r\n|[\r\n]/)) add(`/// ${plainLine(line)}`.trimEnd().concat('\n'));
      }
      for (const tag of kept(item.tags)) {
        addPart(tag, item.place, `@${tag.name} of ${subject}`, () => {
          addLineBreak();
          add(`/// @${tag.name} ${tag.text}\n`);
        });
      }
      addContent();
    });
  const addSettings = (settings: readonly DraftSetting[], of: string): void => {
    for (const setting of settings)
      addPart(setting, setting.place, `${setting.key} of ${of}`, () => add(`${setting.key}: ${setting.text}, `));
  };
  const addValue = (value: DraftValue, subject: string): void =>
    addDocumented(value, subject, () => {
      add(value.name);
      const args = kept(value.arguments);
      if (args.length > 0) {
        add('(');
        for (const one of args) addValue(one, `argument ${one.name} of ${subject}`);
        add(')');
      }
      add(`: ${value.type}${value.fallback === undefined ? '' : ` = ${value.fallback}`}, `);
    });
  for (const node of kept(nodes)) {
    owner = node;
    const { typeName } = node;
    addDocumented(node, `type ${typeName}`, () => {
      add(`(${node.id}${node.labels.map((label) => `:${label}`).join('')}`);
      const [settings, values, fields] = [kept(node.settings), kept(node.values), kept(node.fields)];
      const hasMembers = settings.length + values.length + fields.length > 0;
      if (hasMembers) add(' { ');
      addSettings(settings, `type ${typeName}`);
      if (values.length > 0) {
        add('values: [');
        for (const value of values)
          addDocumented(value, `value ${typeName}.${value.name}`, () =>
            add(`${/^(?:true|false|null)$/.test(value.name) ? `'${value.name}'` : value.name}, `),
          );
        add('],');
      }
      for (const field of fields) addValue(field, `field ${typeName}.${field.name}`);
      add(hasMembers ? '})\n' : ')\n');
    });
  }
  for (const edge of kept(edges)) {
    owner = edge;
    const { subject } = edge;
    addDocumented(edge, subject, () => {
      add(`(${edge.from.join(' | ')})-[:${edge.type}`);
      const [settings, args] = [kept(edge.settings), kept(edge.arguments)];
      const hasMembers = settings.length + args.length > 0;
      if (hasMembers) add(' { ');
      addSettings(settings, subject);
      for (const one of args) addValue(one, `argument ${one.name} of ${subject}`);
      add(`${hasMembers ? '}' : ''}]->(${edge.to})\n`);
    });
  }
  return { text: chunks.join(''), parts };
}

/** A text in quotes; undefined without one, and if topologies cannot quote it. */
export function quoteText(text: string | undefined): string | undefined {
  if (text === undefined || /[\r\n]/.test(text)) return undefined;
  const quoted = `'${text.replaceAll("'", "\\'").replaceAll('"', '\\"')}'`;
  return textOfString(quoted) === text && !/(?<!\\)(?:\\\\)*\\'$/.test(quoted) ? quoted : undefined;
}

/** A line that begins with the name of a tag would be one. */
function plainLine(line: string): string {
  const [, indent = '', name = ''] = /^(\s*)@([A-Za-z]\w*)/.exec(line) ?? [];
  return docTags.has(name) ? `${indent}\u200b${line.slice(indent.length)}` : line;
}
