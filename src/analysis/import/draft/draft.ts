import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { camelCaseOf, capitalized, typeNameOf, whyInvalidName } from '../../../compiler/graph/names.js';

/** A part that an import cannot take over, at its place in the description. */
export interface Loss {
  /** The JSON Pointer of the part as a URI fragment (`#/paths/~1pets/get`), or `line:column`. */
  readonly place: string;
  /** The part: `header parameter X-Trace`. */
  readonly subject: string;
  readonly reason: string;
}

/** A tag of a doc comment: `@minimum 1`. */
export interface DraftTag {
  readonly name: string;
  readonly text: string;
}

interface Placed {
  readonly place: string;
}

/** A part of the draft that the topology may have to leave out. */
export interface DraftPart extends Placed {
  readonly description?: string | undefined;
  readonly tags?: readonly DraftTag[];
}

export interface DraftEnumValue extends DraftPart {
  readonly name: string;
}

/** A field of a node, or an argument. */
export interface DraftValue extends DraftEnumValue {
  /** The type as GraphQL writes it: `[Book!]!`. */
  readonly type: string;
  /** The default, as a topology writes it. */
  readonly fallback?: string | undefined;
  readonly arguments?: readonly DraftValue[];
}

/** A setting of a node or an edge: `status: 201`. */
export interface DraftSetting extends Placed {
  readonly key: string;
  /** The value, as a topology writes it. */
  readonly text: string;
}

/** A node, with the name of its type. */
export interface DraftNode extends DraftPart {
  readonly id: string;
  readonly typeName: string;
  readonly labels: readonly string[];
  readonly settings: readonly DraftSetting[];
  readonly fields: readonly DraftValue[];
  readonly values?: readonly DraftEnumValue[];
}

/** An edge between nodes, by their ids. */
export interface DraftEdge extends DraftPart {
  readonly type: 'PROCESS' | 'FOLD' | 'FORK' | 'RACE';
  readonly from: readonly string[];
  readonly to: string;
  readonly settings: readonly DraftSetting[];
  readonly arguments: readonly DraftValue[];
  /** Its name in the report: `operation listPets`. */
  readonly subject: string;
}

/** The nodes and the edges of the future topology, and the parts of the description that it lacks. */
export class Draft {
  readonly nodes: DraftNode[] = [];
  readonly edges: DraftEdge[] = [];
  readonly losses: Loss[] = [];
  readonly #typeNames = new Set<string>(reservedTypeNames);
  /** The names among them of the inputs that are derived from object types. */
  readonly #derivedNames = new Set<string>();
  readonly #operations = new Set<string>();
  readonly #reported = new Set<string>();
  /** The next number of each name that was taken. */
  readonly #numbers = new Map<string, number>();
  #source: string | undefined;
  #scalarTarget: string | undefined;

  /** Adds a node, which is empty unless more is given. Its id follows from the name of its type. */
  addNode(node: Pick<DraftNode, 'typeName' | 'place'> & Partial<DraftNode>): void {
    this.nodes.push({ id: nodeIdOf(node.typeName), labels: [], settings: [], fields: [], ...node });
  }

  /** The id of the node where operations begin: internal, so that the API does not get a type for it. */
  sourceAt(place: string): string {
    if (this.#source === undefined) {
      const typeName = this.takeTypeName('Root', place, true, false);
      this.#source = nodeIdOf(typeName);
      this.#addInternal(this.#source, typeName, place);
    }
    return this.#source;
  }

  /** The id of the node where operations end whose results are scalars. */
  scalarTargetAt(place: string): string {
    if (this.#scalarTarget === undefined) {
      const typeName = this.takeTypeName('ScalarResult', place, true, false);
      this.#scalarTarget = nodeIdOf(typeName);
      const description = 'The target of edges whose results are scalars.';
      this.addNode({ typeName, place, description });
      const reason = 'It is added, because an edge must lead to a node, and operations with a scalar result have none.';
      this.lose(place, `type ${typeName}`, reason);
    }
    return this.#scalarTarget;
  }

  /** Completes a topology whose edges are known: adds internal nodes, and removes ids that the compiler derives. */
  completeOwn(): void {
    const { nodes, edges } = this;
    const declared = new Set(nodes.map(({ id }) => id));
    const sources = new Set<string>();
    for (const { from, arguments: args, type } of edges) {
      for (const id of from) {
        if (!declared.has(id)) this.#addInternal(id);
        declared.add(id);
        if (type === 'PROCESS' && !args.some(({ name }) => name === 'id')) sources.add(id);
      }
    }
    // The derived id of a node without fields is not an argument of the edges that begin at the node, unlike a declared
    // one, which an edge without it among its arguments would get.
    for (const [at, node] of nodes.entries()) {
      const [first, ...others] = node.fields;
      const isBare = first?.name === 'id' && first.type === 'ID!' && others.length === 0;
      if (isBare && sources.has(node.id) && node.settings.length === 0) nodes[at] = { ...node, fields: [] };
    }
  }

  #addInternal(id: string, typeName = '', place = '1:1'): void {
    this.addNode({ id, typeName, place, settings: [{ key: 'internal', text: 'true', place }] });
  }

  /** Keeps names of types for the standard scalars that the topology uses. */
  reserveTypeNames(names: readonly string[]): void {
    for (const name of names) this.#typeNames.add(name);
  }

  /** Reports a part that the topology lacks, and returns undefined in its place. */
  lose(at: string | Placed, subject: string, reason: string): undefined {
    this.losses.push({ place: typeof at === 'string' ? at : at.place, subject, reason });
  }

  /** Reports something that many places share at its first place only. */
  loseOnce(at: string | Placed, subject: string, reason: string): undefined {
    const key = `${subject}\n${reason}`;
    if (!this.#reported.has(key)) this.lose(at, subject, reason);
    this.#reported.add(key);
  }

  /**
   * Takes the name of a type: the wanted one if a node can have it and it is free, or a similar one, which is
   * reported.
   *
   * @param isObject - Whether the node becomes an object type, whose input takes a second name.
   * @param isInput - Whether it becomes an input, which may take the place of one that an object type has.
   */
  takeTypeName(wanted: string, place: string, isObject: boolean, isGiven = true, isInput = false): string {
    const base = nearestTypeName(wanted);
    const isFree = (name: string) =>
      (!this.#typeNames.has(name) || (isInput && this.#derivedNames.has(name))) &&
      !(isObject && this.#typeNames.has(`${name}Input`));
    const name = this.#firstFree(base, isFree);
    this.#typeNames.add(name);
    this.#derivedNames.delete(name);
    if (isObject) for (const names of [this.#typeNames, this.#derivedNames]) names.add(`${name}Input`);
    const unfit = base === wanted ? taken : 'no node has a type of this name';
    if (isGiven && name !== wanted) this.lose(place, `type ${wanted}`, `It is named ${name}: ${unfit}.`);
    return name;
  }

  /** Takes the name of an operation, as `takeTypeName` does. The three kinds of operations have names of their own. */
  takeOperationName(kind: string, wanted: string, place: string, isGiven = true): string {
    const base = nearestName(wanted) ?? 'operation';
    const name = this.#firstFree(base, (one) => !this.#operations.has(`${kind} ${one}`), kind);
    this.#operations.add(`${kind} ${name}`);
    const unfit = base === wanted ? taken : 'GraphQL does not allow this name';
    if (isGiven && name !== wanted) this.lose(place, `operation ${wanted}`, `It is named ${name}: ${unfit}.`);
    return name;
  }

  #firstFree(base: string, isFree: (name: string) => boolean, scope = ''): string {
    if (isFree(base)) return base;
    const stem = /\d$/.test(base) ? `${base}N` : base;
    const key = `${scope} ${stem}`;
    for (let number = this.#numbers.get(key) ?? 2; ; number++) {
      // A number keeps the first letter and the form of a name.
      const numbered = `${stem}${number}`;
      const name = /^[A-Z]/.test(base) ? nearestTypeName(numbered) : numbered;
      if (!isFree(name)) continue;
      this.#numbers.set(key, number + 1);
      return name;
    }
  }
}

/** The reason of the report for a default that is an object, or a text that topologies cannot quote. */
export const unfitDefault = 'Topologies cannot express a default of this form.';

const taken = 'the name is taken';

const reservedTypeNames = ['Query', 'Mutation', 'Subscription', ...builtinScalarNames];

/** The setting for the interfaces of a type, if it has any. */
export function implementsSetting(interfaces: Iterable<string>, place: string): readonly DraftSetting[] {
  const names = [...new Set(interfaces)].join(', ');
  return names === '' ? [] : [{ key: 'implements', text: `[${names}]`, place }];
}

/** A text on one line, for the tag of a doc comment. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}

/** The innermost name of a type. */
export function bareName(type: string): string {
  return type.replace(/[[\]!]/g, '');
}

export function nodeIdOf(typeName: string): string {
  return exactIdOf(typeName) ?? typeName;
}

function exactIdOf(typeName: string): string | undefined {
  const words = typeName.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
  const letters = typeName.replace(/(?<=[A-Za-z\d])(?=[A-Z])/g, '_').toLowerCase();
  return [words, typeName, letters].find((id) => typeNameOf(id) === typeName);
}

/** The name of a type that a node can have: the wanted one, or one with the same letters and digits. */
function nearestTypeName(wanted: string): string {
  if (whyInvalidName(wanted) === undefined && exactIdOf(wanted) !== undefined) return wanted;
  const words = wanted.split(/[^A-Za-z\d]+/).filter((word) => word !== '');
  const joined = words.map(capitalized).join('');
  const name = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
  return exactIdOf(name) === undefined ? typeNameOf(name.toLowerCase()) : name;
}

/** The name of a field, an argument or an operation: the wanted one, or its words in camel case; undefined without letters. */
export function nearestName(wanted: string): string | undefined {
  if (whyInvalidName(wanted) === undefined) return wanted;
  const words = wanted.split(/[^A-Za-z\d]+/).filter((word) => word !== '');
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const joined = camelCaseOf(capitalized(first)) + rest.map(capitalized).join('');
  return /^\d/.test(joined) ? `_${joined}` : joined;
}

/** The tag `@page` of a field. */
export function pageTag(size: string, isCounted: boolean): DraftTag {
  return { name: 'page', text: isCounted ? `${size} totalCount` : size };
}

/** The setting `page` of an edge. */
export function pageSetting(size: string, isCounted: boolean, place: DraftSetting['place']): DraftSetting {
  return { key: 'page', text: isCounted ? `'${size} totalCount'` : size, place };
}
