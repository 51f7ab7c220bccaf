import { expect } from 'vitest';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.js';
import { createSourceFile, type SourceFile } from '../../../src/base/source/source-file.js';
import type { Span } from '../../../src/base/source/span.js';
import type { GraphIR } from '../../../src/compiler/graph/graph-ir.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';
import { printTypeRef } from '../../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { buildSchema } from '../../../src/compiler/schema/projection/build-schema.js';
import { parseTopology } from '../syntax/parse-topology.js';

/** One text, or several files by name. */
export type Topology = string | Readonly<Record<string, string>>;

/** What must be true of a topology. */
export interface Expectation {
  /** Lines that `describeSchema` must have, whatever else it has. */
  readonly has?: readonly string[];
  /** Lines that it must not have. */
  readonly lacks?: readonly string[];
  /**
   * All findings, in order of their places: `GG2006 «name: Int» + «name: String»` is the code, the text
   * at its place and the texts at its labels. None by default, save the information that there is no
   * query, which most small topologies would have to repeat.
   */
  readonly findings?: readonly string[];
}

/** Projects a topology and holds the result against the expectation. */
export function check(topology: Topology, { has = [], lacks = [], findings = [] }: Expectation): void {
  const { schema, diagnostics, sources } = project(topology);
  const lines = describeSchema(schema);
  const found = diagnostics.filter(({ code }) => code !== 'GG3010' || findings.includes('GG3010 «»'));
  expect(inOrder(found, sources).map((finding) => describeFinding(sources, finding))).toEqual(findings);
  for (const line of has) expect(lines).toContain(line);
  for (const line of lacks) expect(lines).not.toContain(line);
}

/** A topology with all that is made of it before anything is emitted. */
export interface Projection {
  readonly sources: readonly SourceFile[];
  readonly ir: GraphIR;
  readonly schema: GqlSchema;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses, lowers and projects. */
export function project(topology: Topology): Projection {
  const files = typeof topology === 'string' ? { 'test.gg': topology } : topology;
  const sources = Object.entries(files).map(([name, text]) => createSourceFile(name, text));
  const { value: ast, diagnostics: syntax } = parseTopology(sources);
  const { value: ir, diagnostics: graph } = lowerGraph(ast);
  const { value: schema, diagnostics: projection } = buildSchema(ir);
  return { sources, ir, schema, diagnostics: [...syntax, ...graph, ...projection] };
}

/** The first finding with a code. */
export function findingOf(topology: Topology, code: string): Diagnostic {
  const finding = project(topology).diagnostics.find((candidate) => candidate.code === code);
  if (finding === undefined) throw new Error(`there is no ${code}`);
  return finding;
}

/** The text of the topology after the fix of a finding was made. */
export function fixed(text: string, code: string): string {
  const { fix } = findingOf(text, code);
  if (fix === undefined) throw new Error(`${code} has no fix`);
  let result = text;
  for (const { span, text: replacement } of fix.edits.toSorted((a, b) => b.span.start - a.span.start)) {
    result = result.slice(0, span.start) + replacement + result.slice(span.end);
  }
  return result;
}

/** The schema as one line for each thing in it. */
export function describeSchema(schema: GqlSchema): string[] {
  return [
    ...schema.objects.map(({ name, interfaces = [], fields }) => {
      const keeps = interfaces.length === 0 ? '' : ` implements ${interfaces.join(' & ')}`;
      return `type ${name}${keeps} { ${fields.map(describeField).join(', ')} }`;
    }),
    ...(schema.interfaces ?? []).map(
      ({ name, fields }) => `interface ${name} { ${fields.map(describeField).join(', ')} }`,
    ),
    ...(schema.problems ?? []).map(
      ({ name, status, fields }) => `problem ${name} ${status} { ${fields.map(describeField).join(', ')} }`,
    ),
    ...schema.inputs.map(
      ({ name, oneOf, fields }) =>
        `input ${name}${oneOf === undefined ? '' : ' @oneOf'} { ${describeArguments(fields)} }`,
    ),
    ...schema.enums.map(({ name, values }) => `enum ${name} { ${values.join(', ')} }`),
    ...schema.scalars.map(({ name, specifiedBy }) => `scalar ${name}${specifiedBy ? ` ${specifiedBy}` : ''}`),
    ...schema.unions.map(({ name, members, target, delays, policy = {} }) => {
      const staggered = delays === undefined ? '' : ` after ${delays.join(', ')}`;
      const ends = Object.entries(policy).map(([word, value]) => ` ${word} ${value}`);
      return `union ${name} = ${members.join(' | ')} for ${target}${staggered}${ends.join('')}`;
    }),
    ...[...schema.queries, ...schema.mutations, ...schema.subscriptions].map(describeOperation),
  ];
}

function describeOperation({ kind, name, arguments: args, type }: GqlOperation): string {
  const list = args.length === 0 ? '' : `(${describeArguments(args)})`;
  return `${kind} ${name}${list}: ${printTypeRef(type)}`;
}

function describeArguments(args: readonly GqlArgument[]): string {
  return args.map(({ name, type, fallback }) => describeTyped(name, printTypeRef(type), fallback)).join(', ');
}

function describeField({ name, arguments: args, type, fallback }: GqlField): string {
  const list = args === undefined ? '' : `(${describeArguments(args)})`;
  return describeTyped(name + list, printTypeRef(type), fallback);
}

function describeTyped(name: string, type: string, value: unknown): string {
  return `${name}: ${type}${value === undefined ? '' : ` = ${JSON.stringify(value)}`}`;
}

function describeFinding(sources: readonly SourceFile[], { code, span, labels }: Diagnostic): string {
  const places = [span, ...labels.map((label) => label.span)];
  return `${code} ${places.map((place) => `«${textAt(sources, place)}»`).join(' + ')}`;
}

function textAt(sources: readonly SourceFile[], { file, start, end }: Span): string {
  const source = sources.find(({ name }) => name === file);
  if (source === undefined) throw new Error(`a finding points into ${file}, which is no source`);
  return source.text.slice(start, end);
}

function inOrder(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): Diagnostic[] {
  const rank = ({ span }: Diagnostic) => sources.findIndex(({ name }) => name === span.file);
  return diagnostics.toSorted((a, b) => rank(a) - rank(b) || a.span.start - b.span.start);
}
