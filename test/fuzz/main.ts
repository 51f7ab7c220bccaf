import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.js';
import { readSeeds } from './seeds.js';

// Gives as many mutated texts to every reader as asked for, and writes the report.

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    from: { type: 'string', default: '0' },
    report: { type: 'string' },
  },
});
const from = Number(values.from);
const to = from + Number(values.count);
const start = performance.now();
const { counts, finds } = await fuzz(readSeeds(), from, to, 100);
const seconds = Math.round((performance.now() - start) / 1000);
const findsOf = (subject: string) =>
  finds.filter((find) => find.subject === subject).map(({ seed, error }) => `${seed}: ${error.split('\n')[0]}`);
const rows = [...counts].map(
  ([subject, count]) => `| ${subject} | ${count.toLocaleString('en-US')} | ${findsOf(subject).join('; ')} |`,
);
const report = [
  '# Mutated texts',
  '',
  'Written by `npm run fuzz`. The goldens, the examples and the documents that are made of them were changed at random in',
  'one to four places. Each text went to one reader; a find is an exception, or a result that cannot be right.',
  '',
  `Texts ${from.toLocaleString('en-US')} to ${to.toLocaleString('en-US')}, Node ${process.versions.node}: ${finds.length === 0 ? 'no finds' : `${finds.length} ${finds.length === 1 ? 'find' : 'finds'}. Each is mended, with a test, before the next run.`}`,
  '',
  '| reader | texts | finds |',
  '|---|--:|---|',
  ...rows,
  '',
].join('\n');
console.log(report);
console.log(`${seconds} s`);
for (const { seed, subject, text, error } of finds)
  console.log(`\n== ${seed} ${subject}\n${text.slice(0, 4_000)}\n-- ${error}`);
if (values.report !== undefined) writeFileSync(values.report, report);
process.exitCode = finds.length === 0 ? 0 : 1;
