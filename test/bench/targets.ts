/**
 * The rows of the benchmark and what each is held to. A ratio is always our figure divided by that of
 * the baseline, so that smaller is better everywhere; "5 times faster" is a ratio of at most 1/5.
 */

/** One claim about speed or memory. */
export interface Row {
  /** What `--only` calls it. */
  readonly id: string;
  readonly title: string;
  /** What ours is compared with. */
  readonly baseline: string;
  /** The target in words. */
  readonly target: string;
  /** The greatest ratio that meets it. */
  readonly limit: number;
  /** The least ratio that meets it; absent if smaller is always better. */
  readonly least?: number;
  /** The limits of single sizes, by what the report calls them. */
  readonly limitAt?: Readonly<Record<string, number>>;
  /** Where the time or the memory goes. The report shows it under the table while the row misses its target. */
  readonly whyNot?: string;
  /** The process that measures it: rows that share one also share what the engine has learnt. */
  readonly group: GroupName;
}

/** The processes that the rows are measured in, so that no row changes the conditions of another. */
export type GroupName =
  | 'analysis'
  | 'parsing'
  | 'growth'
  | 'memory'
  | 'emission'
  | 'compile'
  | 'import'
  | 'command'
  | 'typespec';

/** The compiler against itself: where this row misses, the machine was too busy, and the run is void. */
export const control = {
  id: 'same',
  title: '`compile()` of 1k edges',
  baseline: 'itself',
  target: '0.97–1.03',
  least: 0.97,
  limit: 1.03,
  group: 'compile',
} as const satisfies Row;

/** All rows, in the order of the report. */
export const rows = [
  {
    id: 'parse-regex',
    title: 'Parse to a plain tree, with spans, comments and recovery',
    baseline: 'regex parser of two sweeps, without any of these',
    target: '≤ 1.2× at 1k and 10k edges',
    limit: 1.2,
    whyNot:
      'Chevrotain makes an object for each token: 39 an edge, 3.75 of the 5.7 kB that parsing an edge allocates. By CPU profile at 1k edges the lexer takes 37 % of the time, the grammar 33 % and garbage collection 22 %; at 10k edges, where the tree outlives collections, 23 %, 21 % and 55 %.',
    group: 'parsing',
  },
  {
    id: 'parse-files',
    title: 'The same, on texts as people write them',
    baseline: 'regex parser of two sweeps',
    target: '≤ 1.0×',
    limit: 1,
    whyNot:
      'The lexer alone, without any rule, takes 0.82× of the baseline on the example: its statements are long and have many properties. The grammar takes about as much time as the lexer.',
    group: 'parsing',
  },
  {
    id: 'flow',
    title: 'The flow rules',
    baseline: 'parse of the same text',
    target: '≤ 0.5× at 1k and 10k edges',
    limit: 0.5,
    group: 'analysis',
  },
  {
    id: 'analyze',
    title: '`analyze`: parse, lower, project, flow rules',
    baseline: '`JSON.parse` of the JSON of the finished schema',
    target: '≤ 0.8× at 1k and 10k edges',
    limit: 0.8,
    whyNot:
      'At 1k edges, parsing takes 30 % of the processor time, lowering 26 %, the schema 30 % and the rules and checks after it 14 %, garbage collection included, which was 42 % of all when it was last measured. The schema is the part that has grown, to 1.6× of what it took at 27df05a9, as each new setting of nodes and edges is one more walk over all fields; lowering has grown to 1.2×, and parsing has not. An edge allocates about 12 kB, of which 3.75 kB are tokens and 4.4 kB are the tree and the schema that remain; the baseline allocates 5.9 kB.',
    group: 'analysis',
  },
  {
    id: 'growth-time',
    title: 'Parse, lower and project: time an edge',
    baseline: 'itself at 1k edges',
    target: '≤ 1.5× at 100k edges',
    limit: 1.5,
    whyNot:
      'At 1k edges a run nearly fits into the young generation; from 10k on, the tree, the graph and the schema (5.7 kB an edge) outlive collections, which copy them twice. With a young generation that needs no collection, 10k edges take a third less time (32 instead of 49 µs an edge on a loaded machine); the rest of the growth was not taken apart.',
    group: 'growth',
  },
  {
    id: 'growth-memory',
    title: 'Parse, lower and project: memory an edge',
    baseline: 'itself at 1k edges',
    target: '≤ 1.2× at 100k edges',
    limit: 1.2,
    group: 'memory',
  },
  {
    id: 'sdl',
    title: '`schemaToGraphQL`',
    baseline: 'graphql-js `printSchema` of the built schema',
    target: '≤ 0.25× at 1k and 10k types',
    limit: 0.25,
    whyNot:
      'Of 56 ms at 10k edges, 39 ms go to making the pieces of the types and operations, and 17 ms to flattening and joining them.',
    group: 'emission',
  },
  {
    id: 'openapi',
    title: '`schemaToOpenAPI`',
    baseline: '`JSON.stringify` of the finished object',
    target: '≤ 2×',
    limit: 2,
    whyNot:
      'Garbage collection is 26 % of the time at 1k edges and makes the spread wide: the least times of both sides give 0.93×, the median of the rounds is 2.1×.',
    group: 'emission',
  },
  {
    id: 'collection',
    title: '`schemaToCollection`',
    baseline: '`JSON.stringify` of the finished object',
    target: '≤ 2×',
    limit: 2,
    whyNot:
      'At 1k edges garbage collection is 34 % of the time, and no function takes more than 6 %: JSON Schemas, links between ids, arguments, documents and examples are computed for each operation, while the baseline copies finished strings.',
    group: 'emission',
  },
  {
    id: 'bytes',
    title: 'OpenAPI document and collection, size of the files',
    baseline: 'a budget: 7 kB an edge at 1k edges, 65 % of the 474 kB that the example once had',
    target: '≤ the budget',
    limit: 1,
    group: 'emission',
  },
  {
    id: 'compile',
    title: '`compile()`, all three artifacts',
    baseline: 'graphql-js `buildSchema` and `printSchema` of the same API',
    target: '≤ 0.8× at 1k edges, 0.9× at 10k, 1.05× for the larger example',
    limit: 1.05,
    limitAt: { '1k edges': 0.8, '10k edges': 0.9 },
    whyNot:
      'At 1k edges the analysis takes 18 % of the time, the SDL 6 %, the OpenAPI document 44 % and the collection 32 %; at 10k edges 20, 7, 40 and 33 %; for the example 26, 4, 44 and 27 %.',
    group: 'compile',
  },
  {
    id: 'check',
    title: '`gg-svc check docs/examples/service.gg`, whole process',
    baseline: '`node -e 0`',
    target: '≤ 2.2×',
    limit: 2.2,
    whyNot:
      'On a loaded machine, 109 ms of processor time where `node -e 0` takes 27. The decisions of the grammar and the first characters of the tokens come from tables in place of Chevrotain’s analysis, which takes the first parse from 22 to 11 ms. What is left of it is its modules, the objects of its rules and a table of 65,536 characters. The rest is the start of Node.js, the loading of modules whose compiled code comes from a cache, the option parser and streams, the analysis of the file, and the tools of agents, whose cost the last line of the output estimates.',
    group: 'command',
  },
  {
    id: 'typespec-time',
    title: '`gg-svc build`, whole process',
    baseline: '`tsp compile` of an equal API to OpenAPI',
    target: '≤ 0.08× at 100 and 1k operations',
    limit: 0.08,
    whyNot:
      'At 100 operations, two fifths of the processor time passed before the first line was parsed (see the row of `check`, which has become shorter since), a fifth in the analysis and two fifths in the emission and writing of the documents, most of it code that runs for the first time.',
    group: 'typespec',
  },
  {
    id: 'typespec-memory',
    title: '`gg-svc build`, peak memory',
    baseline: '`tsp compile` of an equal API to OpenAPI',
    target: '≤ 1/3 at 100 and 1k operations',
    limit: 1 / 3,
    whyNot:
      'A third of the baseline is 55 MiB and 124 MiB. A bare Node process peaks at 41 MiB, and `gg-svc check` of the same file at 60 MiB and 76 MiB; the emission adds 8 MiB and 60 MiB, because all documents are held as text before they are written.',
    group: 'typespec',
  },
  {
    id: 'import-files',
    title: "`import 'gg-svc'`, files loaded",
    baseline: 'a budget of 150',
    target: '≤ 150 files',
    limit: 1,
    group: 'import',
  },
  {
    id: 'import-time',
    title: "`import 'gg-svc'`, time in a new process",
    baseline: "`import 'graphql'`",
    target: '≤ 2×',
    limit: 2,
    group: 'import',
  },
] as const satisfies readonly Row[];

/** The name of a row. */
export type RowId = (typeof rows)[number]['id'] | (typeof control)['id'];
