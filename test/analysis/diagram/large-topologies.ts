/** A topology of several files, by name; the first one imports the others. */
export type Files = Readonly<Record<string, string>>;

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

/** 217 nodes: a hub with 108 events, one with 60 queries, and a chain of 45 steps, in a file each. */
export const shop: Files = {
  'main.gg': `import './events.gg'\nimport './orders.gg'\nimport './steps.gg'\n(root)-[:PROCESS]->(status: Record { ok: Boolean! })\n`,
  'events.gg': lines(108, (index) => `(bus)-[:FORK]->(event_${index}: Event { id: ID! })`),
  'orders.gg': lines(60, (index) => `(store)-[:PROCESS]->(order_${index}: Record { id: ID! })`),
  'steps.gg': lines(44, (index) => `(step_${index})-[:MEASURE]->(step_${index + 1}: Step { id: ID! })`),
};

/** 517 nodes: seven pages of tests, whose results come together in a verdict for each page, and in one for all. */
export const pages: Files = {
  'pages.gg': [
    `(suite: Suite)-[:MEASURE]->(${names('page', 7)})\n`,
    ...Array.from({ length: 7 }, (_, page) => {
      const [from, count] = [page * 36, page === 6 ? 34 : 36];
      return `(page_${page}: Page)-[:MEASURE]->(${names('check', count, from)})
${lines(count, (index) => `(check_${from + index}: Check)-[:RACE]->(result_${from + index}: Result { ok: Boolean! })`)}(${names('result', count, from)})-[:FOLD]->(verdict_${page}: Verdict { ok: Boolean! })\n`;
    }),
    `(${names('verdict', 7)})-[:FOLD]->(verdict: Verdict { ok: Boolean! })\n`,
    '(verdict)-[:MEASURE]->(load)\n',
  ].join(''),
};

/** 100 nodes: a theorem with 49 parts, and the proof of each. */
export const proofs: Files = {
  'proofs.gg': `(theorem: Theorem)-[:MEASURE]->(${names('part', 49)})\n${lines(49, (index) => `(part_${index}: Part)-[:MEASURE]->(proof_${index}: Proof { ok: Boolean! })`)}(theorem)-[:PROCESS]->(answer: Record { ok: Boolean! })\n`,
};

function names(name: string, count: number, from = 0): string {
  return Array.from({ length: count }, (_, index) => `${name}_${from + index}`).join(' | ');
}
