import { createSourceFile, type SourceFile } from '../../../src/source/source-file.js';
import type { Document, NodeGroup, Property } from '../../../src/syntax/ast.js';
import { parse } from '../../../src/syntax/parse.js';
import { parseByHand } from '../baselines/hand-parser.js';
import { parseWithRegexes } from '../baselines/regex-parser.js';
import { effortFor } from '../effort.js';
import { generateTopology } from '../generate.js';
import { readParcel } from '../inputs.js';
import { compareSides, freshText, type Side } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';
import { checkBaselines } from '../self-check.js';

/** Parsing alone, against three other ways to get at what a text says. */
export function measureParsing(context: BenchContext): void {
  for (const edges of [100, 1_000, 10_000, 100_000]) measureGenerated(edges, context);
  if (context.wants('parse-json')) measureExample(context);
}

function measureGenerated(edges: number, { isQuick, wants, report }: BenchContext): void {
  const text = generateTopology({ edges });
  const json = checkedTree(text);
  const effort = effortFor(edges, isQuick);
  const size = `${sizeLabel(edges)} edges`;
  const freshSource = () => createSourceFile('bench.gg', freshText(text));
  // A tree makes its nodes and hops when somebody reads them, the baselines theirs at once. So what is
  // compared is a parse whose tree is read to the last value.
  const ours = { fresh: freshSource, run: parseAndRead, units: edges };
  const compare = <Input>(baseline: Side<Input>) => ({
    ...compareSides(ours, { ...baseline, units: edges }, effort),
    size,
    unit: 'ns/edge' as const,
  });
  if (wants('parse-regex')) {
    const baseline = { fresh: () => freshText(text), run: parseWithRegexes };
    const judged = edges === 1_000 || edges === 10_000;
    report({ row: 'parse-regex', judged, ...compare(baseline) });
    if (judged) {
      const unread = compareSides({ ...ours, run: parse }, { ...baseline, units: edges }, effort);
      const line = { row: 'parse-regex', unit: 'ns/edge', judged: false } as const;
      report({ ...line, size: `${size}, tree not read`, ...unread });
    }
  }
  if (wants('parse-json')) {
    const baseline = { fresh: () => freshText(json), run: (input: string) => JSON.parse(input) };
    report({ row: 'parse-json', judged: true, ...compare(baseline) });
  }
  if (wants('parse-hand')) {
    const baseline = { fresh: freshSource, run: parseByHand };
    report({ row: 'parse-hand', judged: edges === 1_000, ...compare(baseline) });
  }
}

/** The tree of a text as JSON. The tree itself must not stay: a heap that holds it takes longer to clean. */
function checkedTree(text: string): string {
  const source = createSourceFile('bench.gg', text);
  const document = parse(source).value;
  checkBaselines(source, document);
  return JSON.stringify(document.statements);
}

/** Parses a text and reads every id, label, key and value of its tree. */
function parseAndRead(source: SourceFile): Document {
  const document = parse(source).value;
  let length = 0;
  const readProperties = (properties: readonly Property[]) => {
    for (const { key, value, fallback } of properties) {
      length += key.length + value.kind.length + (fallback?.kind.length ?? 0);
    }
  };
  const readGroup = ({ nodes }: NodeGroup) => {
    for (const { id, labels, properties } of nodes) {
      length += id.length;
      for (const { name } of labels) length += name.length;
      readProperties(properties);
    }
  };
  for (const statement of document.statements) {
    if (statement.kind !== 'Pipeline') continue;
    readGroup(statement.head);
    for (const { type, properties, target } of statement.hops) {
      length += type.length;
      readProperties(properties);
      readGroup(target);
    }
  }
  if (length === 0) throw new Error('invariant: there was nothing to read');
  return document;
}

function measureExample({ root, isQuick, report }: BenchContext): void {
  const sources = readParcel(root);
  const freshFiles = () => sources.map(({ name, source }) => createSourceFile(name, freshText(source)));
  const documents = freshFiles().map((file) => parse(file).value);
  const json = JSON.stringify(documents.map(({ statements }) => statements));
  const edges = documents
    .flatMap(({ statements }) => statements)
    .reduce((sum, statement) => sum + (statement.kind === 'Pipeline' ? statement.hops.length : 0), 0);
  const comparison = compareSides(
    { fresh: freshFiles, run: (files) => files.map(parseAndRead), units: edges },
    { fresh: () => freshText(json), run: (input) => JSON.parse(input), units: edges },
    effortFor(edges, isQuick),
  );
  report({ row: 'parse-json', size: 'the parcel example', unit: 'ns/edge', judged: true, ...comparison });
}
