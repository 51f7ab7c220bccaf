import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { analyze, joinLayers } from '../../../compiler/analyze.js';
import { federationFragment } from '../../../compiler/federation-fragment.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import type { Draft, DraftEdge, DraftNode, DraftValue, Loss } from './draft.js';
import { type WrittenPart, writeDraft } from './write-draft.js';

/**
 * Writes a draft as a topology without errors, even in a server, which adds the federation layer. Parts that the
 * compiler rejects are left out, and reported with its messages. Undefined if nothing is left.
 */
export function settleDraft(draft: Draft) {
  const leftOut = new LeftOut(draft);
  for (;;) {
    const written = writeDraft(draft, leftOut.items);
    if (written.parts.length === 0) return undefined;
    const analysis = analyze({ name: 'topology.gg', source: written.text });
    const { schema } = analysis;
    const { diagnostics } = joinLayers(analysis, [federationFragment]);
    // A word that is not a type would become a text (GG2007).
    const refused = diagnostics.filter(({ severity, code }) => severity === 'error' || code === 'GG2007');
    if (refused.length === 0) {
      const { queries, mutations, subscriptions, objects, interfaces = [], inputs, enums, scalars } = schema;
      return {
        text: written.text,
        operations: queries.length + mutations.length + subscriptions.length,
        types: [...objects, ...interfaces, ...inputs, ...enums, ...scalars].filter(({ node }) => node !== undefined)
          .length,
        losses: [...draft.losses, ...leftOut.losses],
      };
    }
    leftOut.add(refused.map((one) => [blamedPart(written.parts, one), one.message]));
  }
}

/** The settings that errors at operations are about. */
const blamedSettings: ReadonlyMap<string, string> = new Map([
  ['GG3118', 'undo'],
  ['GG3120', 'awaits'],
  ['GG3122', 'awaits'],
  ['GG3123', 'partition'],
]);

function blamedPart(parts: readonly WrittenPart[], { code, span }: Diagnostic): WrittenPart {
  const part = partAt(parts, span.start);
  const key = blamedSettings.get(code);
  if (key === undefined) return part;
  return parts.find(({ item, owner }) => owner === part.owner && 'key' in item && item.key === key) ?? part;
}

/** The innermost part at an offset. A finding about the whole topology is about its last part. */
function partAt(parts: readonly WrittenPart[], offset: number): WrittenPart {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle] as WrittenPart).start <= offset) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0; at--) {
    const part = parts[at] as WrittenPart;
    if (part.end > offset) return part;
  }
  return parts.at(-1) as WrittenPart;
}

class LeftOut {
  readonly items = new Set<object>();
  readonly losses: Loss[] = [];
  #users: ReadonlyMap<string, readonly User[]> | undefined;

  constructor(private readonly draft: Draft) {}

  /** Leaves parts out, each with its reason; then the parts that need them. */
  add(parts: readonly (readonly [WrittenPart, string])[]): void {
    const owners = parts.flatMap(([part, reason]) => this.#addPart(part, reason) ?? []);
    for (const owner of owners) this.#removeUsers(owner);
  }

  /** Returns the node or edge that is left out as a whole. */
  #addPart({ item, owner, place, subject }: WrittenPart, reason: string): DraftNode | DraftEdge | undefined {
    if (this.items.has(item) || this.items.has(owner)) return undefined;
    const isWhole = item === owner || ('key' in item && vitalSettings.has(item.key)) || isNeeded(item, owner);
    this.losses.push({ place, subject: isWhole ? subjectOf(owner) : subject, reason });
    if (isWhole) this.items.add(owner);
    else this.#remove(item, owner);
    return isWhole ? owner : undefined;
  }

  #remove(item: object, owner: DraftNode | DraftEdge): void {
    if (this.items.has(item)) return;
    this.items.add(item);
    if (item === owner) this.#removeUsers(owner);
    // Without fields, a node would get an id.
    const lists = 'typeName' in owner ? [owner.fields, owner.values ?? []] : [];
    const isEmptied = lists.some((list) => list.length > 0 && list.every((one) => this.items.has(one)));
    if (isEmptied) this.#remove(owner, owner);
  }

  #removeUsers(owner: DraftNode | DraftEdge): void {
    if (!('typeName' in owner)) return;
    this.#users ??= usersOfTypes(this.draft);
    const reason = `The type ${owner.typeName} is left out.`;
    for (const { item, owner: user, subject } of this.#users.get(owner.typeName) ?? []) {
      if (this.items.has(item) || this.items.has(user)) continue;
      const isWhole = isNeeded(item, user);
      this.losses.push({ place: user.place, subject: isWhole ? subjectOf(user) : subject, reason });
      this.#remove(isWhole ? user : item, user);
    }
  }
}

function subjectOf(owner: DraftNode | DraftEdge): string {
  return 'typeName' in owner ? `type ${owner.typeName}` : owner.subject;
}

/** Whether an item is an argument without which every call of an operation would be refused. */
function isNeeded(item: object, owner: DraftNode | DraftEdge): boolean {
  if ('typeName' in owner) return false;
  const argument = owner.arguments.find((one) => one === item);
  return argument?.type.endsWith('!') === true && argument.fallback === undefined;
}

/** Settings without which an edge or a node would be another one. */
const vitalSettings: ReadonlySet<string> = new Set(['operation', 'union', 'returns', 'internal']);

/** An item that needs a type. */
interface User {
  readonly item: object;
  readonly owner: DraftNode | DraftEdge;
  readonly subject: string;
}

function usersOfTypes({ nodes, edges }: Draft): ReadonlyMap<string, readonly User[]> {
  const users = new Map<string, User[]>();
  const addText = (text: string, user: User) => {
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) appendTo(users, name, user);
  };
  const addValues = (values: readonly DraftValue[], owner: DraftNode | DraftEdge, of: string): void => {
    for (const value of values) {
      const subject = `${value.name} of ${of}`;
      addText(value.type, { item: value, owner, subject });
      addValues(value.arguments ?? [], owner, subject);
    }
  };
  const typeOfNode = new Map(nodes.map(({ id, typeName }) => [id, typeName]));
  for (const node of nodes) {
    addValues(node.fields, node, `type ${node.typeName}`);
    for (const setting of node.settings) {
      if (setting.key !== 'implements') continue;
      addText(setting.text, { item: setting, owner: node, subject: `implements of type ${node.typeName}` });
    }
  }
  for (const edge of edges) {
    const user = { item: edge, owner: edge, subject: edge.subject };
    for (const id of [...edge.from, edge.to]) appendTo(users, typeOfNode.get(id) ?? '', user);
    addValues(edge.arguments, edge, edge.subject);
    for (const setting of edge.settings)
      if (setting.key === 'returns' || setting.key === 'throws') addText(setting.text, user);
  }
  return users;
}
