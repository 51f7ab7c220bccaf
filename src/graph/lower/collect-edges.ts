import { diagnose } from '../../diagnostics/diagnostic.js';
import type { SourceFile } from '../../source/source-file.js';
import type { CallChain, Hop, Name, NodeGroup, Property } from '../../syntax/ast.js';
import type { EdgeResult, EdgeSetting, GraphEdge, GraphField } from '../graph-ir.js';
import { sameJson } from '../json-value.js';
import { NamedList } from '../named-list.js';
import { whyInvalidName } from '../names.js';
import { sameType } from '../type-ref.js';
import { type GraphDraft, spanOf } from './graph-draft.js';
import { reportPropertyClash } from './property-clash.js';
import { readProperty, readReturns } from './read-property.js';

/**
 * Makes the edges: one for each hop of a pipeline, and a PROCESS edge for each step of a call chain.
 * The typed properties of an edge become its arguments, `returns` its result, the rest its settings.
 */
export function collectEdges(draft: GraphDraft): void {
  for (const { file, statements } of draft.ast.documents) {
    for (const statement of statements) {
      if (statement.kind === 'Pipeline') {
        let source = statement.head;
        // A doc comment before the whole statement speaks of its first edge.
        let doc = statement.doc;
        for (const hop of statement.hops) {
          draft.edges.push(edgeOf(draft, file, source, hop, hop.doc ?? doc));
          source = hop.target;
          doc = undefined;
        }
      } else if (statement.kind === 'CallChain') {
        collectCalls(draft, file, statement);
      }
    }
  }
}

function collectCalls(draft: GraphDraft, file: SourceFile, { steps, doc }: CallChain): void {
  let from: Name | undefined;
  for (const to of steps) {
    if (from !== undefined) {
      draft.edges.push({
        type: 'PROCESS',
        sources: [from.name],
        targets: [to.name],
        ...nothingSaid,
        description: from === steps[0] ? doc : undefined,
        // In f(x) the data comes last.
        span: { file: file.name, start: Math.min(from.start, to.start), end: Math.max(from.end, to.end) },
        typeStart: undefined,
      });
    }
    from = to;
  }
}

function edgeOf(
  draft: GraphDraft,
  file: SourceFile,
  source: NodeGroup,
  hop: Hop,
  description: string | undefined,
): GraphEdge {
  const { args, returns, settings } =
    hop.properties.length === 0 ? nothingSaid : readProperties(draft, file, hop);
  return {
    type: hop.type,
    sources: idsOf(source),
    targets: idsOf(hop.target),
    args,
    returns,
    settings,
    description,
    span: { file: file.name, start: source.start, end: hop.target.end },
    typeStart: hop.typeStart,
  };
}

function idsOf({ nodes }: NodeGroup): readonly string[] {
  const ids = nodes.map(({ id }) => id);
  return ids.length === 1 ? ids : [...new Set(ids)];
}

/** What the properties of an edge say, sorted by what it means. */
type EdgeProperties = Pick<GraphEdge, 'args' | 'returns' | 'settings'>;

const none: readonly never[] = [];
const noSettings: ReadonlyMap<string, EdgeSetting> = new Map();
const nothingSaid: EdgeProperties = { args: none, returns: undefined, settings: noSettings };

function readProperties(draft: GraphDraft, file: SourceFile, hop: Hop): EdgeProperties {
  let args: readonly GraphField[] = none;
  let settings: ReadonlyMap<string, EdgeSetting> = noSettings;
  let returns: EdgeResult | undefined;
  const read = new NamedList<ReadProperty>();
  for (const property of hop.properties) {
    const said = readOne(draft, file, property);
    if (said === undefined) continue;
    const at = read.indexOf(property.key);
    if (at !== -1) {
      const first = read.items[at] as ReadProperty;
      if (saysTheSame(first.said, said)) continue;
      const owner = `This ${hop.type} edge`;
      reportPropertyClash(draft, owner, { file, property: first.property }, { file, property });
      continue;
    }
    read.push({ name: property.key, property, said });
    // Most edges have one property or two, so what they hold is made with its first item.
    if ('result' in said) returns = said.result;
    else if ('arg' in said) args = args === none ? [said.arg] : append(args, said.arg);
    else if (settings === noSettings) settings = new Map([[property.key, said.setting]]);
    else (settings as Map<string, EdgeSetting>).set(property.key, said.setting);
  }
  return { args, returns, settings };
}

/** A property of the edge at hand, by its key. */
interface ReadProperty {
  readonly name: string;
  readonly property: Property;
  readonly said: Said;
}

function append<T>(list: readonly T[], item: T): readonly T[] {
  (list as T[]).push(item);
  return list;
}

type Said =
  | { readonly result: EdgeResult }
  | { readonly setting: EdgeSetting }
  | { readonly arg: GraphField };

function readOne(draft: GraphDraft, file: SourceFile, property: Property): Said | undefined {
  const { key: name, doc: description } = property;
  const span = spanOf(file, property);
  if (name === 'returns') {
    const type = readReturns(draft, file, property);
    return type && { result: { type, span } };
  }
  const reading = readProperty(draft, file, property);
  if (reading === undefined) return undefined;
  if (reading.kind === 'literal') return { setting: { value: reading.json, span } };
  const reason = whyInvalidName(name);
  if (reason !== undefined) {
    const place = { file: file.name, start: property.start, end: property.start + name.length };
    draft.diagnostics.push(diagnose('GG3008', { name, reason }, place));
    return undefined;
  }
  return { arg: { name, type: reading.type, fallback: reading.fallback, description, span } };
}

function saysTheSame(one: Said, other: Said): boolean {
  if ('result' in one) return 'result' in other && sameType(one.result.type, other.result.type);
  if ('setting' in one) return 'setting' in other && sameJson(one.setting.value, other.setting.value);
  if (!('arg' in other)) return false;
  return sameType(one.arg.type, other.arg.type) && sameJson(one.arg.fallback, other.arg.fallback);
}
