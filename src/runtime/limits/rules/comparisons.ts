import type {
  ASTNode,
  FieldNode,
  FragmentDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValidationRule,
} from 'graphql';
import { remember } from '../../../compiler/graph/maps.js';
import { limitError } from './limit-error.js';

/**
 * `comparisons`: how many pairs of fields with one response name validation has to compare. The rule "fields can
 * merge" (GraphQL specification, section 5.3.2) takes quadratic time in the number of fields with one name, so a
 * document of 5 KB can take 100 ms. The pairs are counted without comparing them, and counting stops at the limit.
 *
 * Refused at 3: `{ a { b } a { b } a { b } }`, which has three pairs of `a` and three of `a.b`.
 */
export function limitComparisons(maximum: number): ValidationRule {
  return function ComparisonsLimitRule(context) {
    const counter = new ComparisonCounter(maximum, (name) => context.getFragment(name) ?? undefined);
    for (const definition of context.getDocument().definitions) {
      if ('selectionSet' in definition) counter.visit(definition.selectionSet);
    }
    if (counter.count > maximum) {
      const message = `The document needs more than ${maximum} comparisons of fields with the same response name.`;
      context.reportError(limitError('comparisons', maximum, message));
    }
    return {};
  };
}

class ComparisonCounter {
  count = 0;
  readonly #fragmentPairs = new Set<string>();
  /** The first fields of the groups that are being compared, from the outermost inwards. */
  readonly #open = new Set<FieldNode>();

  constructor(
    private readonly maximum: number,
    private readonly fragmentOf: (name: string) => FragmentDefinitionNode | undefined,
  ) {}

  /** graphql-js compares within each selection set of the document, and across those of fields with one name. */
  visit(selectionSet: SelectionSetNode): void {
    this.#compareWithin([selectionSet]);
    for (const { selectionSet: inner } of selectionSet.selections as readonly SelectionWithSet[]) {
      if (inner !== undefined && this.count <= this.maximum) this.visit(inner);
    }
  }

  #compareWithin(selectionSets: readonly SelectionSetNode[]): void {
    const found: Collected = { fields: new Map(), fragments: new Set(), spreads: new Set() };
    for (const { selections } of selectionSets) this.#collect(selections, found, true);
    this.count += selectionSets.length * found.fragments.size * fragmentCost;
    if (found.spreads.size > 1) this.#compareFragments([...found.fragments]);
    for (const { direct, spread } of found.fields.values()) {
      const group = [...direct, ...spread];
      const [first] = group;
      // A fragment that contains itself is an error that another rule reports.
      if (first === undefined || group.length < 2 || this.#open.has(first)) continue;
      // The fields of fragments are compared with each other only where fragments are spread side by side.
      const apart = found.spreads.size > 1 ? 0 : (spread.length * (spread.length - 1)) / 2;
      const pairs = (group.length * (group.length - 1)) / 2 - apart;
      if (pairs === 0) continue;
      // Arguments are compared for each pair, in time that grows with their size.
      const weight = group.reduce((sum, { arguments: args = [] }) => sum + sizeOf(args), 0);
      this.count += pairs + (group.length - 1) * weight;
      if (this.count > this.maximum) return;
      const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length < 2) continue;
      this.#open.add(first);
      this.#compareWithin(inner);
      this.#open.delete(first);
    }
  }

  /** graphql-js compares two fragments once, wherever they are spread side by side. */
  #compareFragments(names: readonly string[]): void {
    for (const [index, one] of names.entries()) {
      for (const other of names.slice(index + 1)) {
        const pair = one < other ? `${one} ${other}` : `${other} ${one}`;
        if (this.#fragmentPairs.has(pair)) continue;
        this.#fragmentPairs.add(pair);
        this.count += 1;
        if (this.count > this.maximum) return;
      }
    }
  }

  #collect(selections: readonly SelectionNode[], found: Collected, isDirect: boolean): void {
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const key = selection.alias?.value ?? selection.name.value;
        const group = remember(found.fields, key, () => ({ direct: [], spread: [] }));
        group[isDirect ? 'direct' : 'spread'].push(selection);
      } else if (selection.kind === 'InlineFragment') {
        this.#collect(selection.selectionSet.selections, found, isDirect);
      } else {
        const name = selection.name.value;
        if (isDirect) found.spreads.add(name);
        if (found.fragments.has(name)) continue;
        found.fragments.add(name);
        const definition = this.fragmentOf(name);
        if (definition !== undefined) this.#collect(definition.selectionSet.selections, found, false);
      }
    }
  }
}

interface Collected {
  /** The fields by response name: direct ones, and those of fragments. */
  readonly fields: Map<string, { readonly direct: FieldNode[]; readonly spread: FieldNode[] }>;
  /** The fragments that are spread, and those that are spread in them. */
  readonly fragments: Set<string>;
  readonly spreads: Set<string>;
}

/** The cost of looking for the fields of one selection set in one fragment, in comparisons. */
const fragmentCost = 0.1;

type SelectionWithSet = SelectionNode & { readonly selectionSet?: SelectionSetNode };

function sizeOf(nodes: readonly ASTNode[]): number {
  let size = 0;
  for (const node of nodes) {
    size += 1;
    if (node.kind === 'Argument' || node.kind === 'ObjectField') size += sizeOf([node.value]);
    else if (node.kind === 'ListValue') size += sizeOf(node.values);
    else if (node.kind === 'ObjectValue') size += sizeOf(node.fields);
  }
  return size;
}
