// Compares runs of `npm run bench` of two revisions on one machine, as a Markdown table:
//
//   node scripts/compare-bench.mjs base.1.txt,base.2.txt head.1.txt,head.2.txt
//
// Each figure is the time or the size of ours divided by that of a baseline in the same run. A row is slower if each
// round of the new revision is above each round of the old one, and its median is more than a tenth above.

import { readFileSync } from 'node:fs';

const tolerance = 1.1;
const row = /^(\S+) +(.+?) {2,}.* ratio ([\d.]+) \(([\d.]+)–([\d.]+)\)/gm;

/** The rows of several runs: the best median, and the range of all rounds. */
function readRuns(files) {
  const rows = new Map();
  for (const file of files.split(',')) {
    for (const [, id, size, ...figures] of readFileSync(file, 'utf8').matchAll(row)) {
      const [median, least, greatest] = figures.map(Number);
      const key = `${id} ${size.trim()}`;
      const other = rows.get(key) ?? { median, least, greatest };
      rows.set(key, {
        median: Math.min(median, other.median),
        least: Math.min(least, other.least),
        greatest: Math.max(greatest, other.greatest),
      });
    }
  }
  return rows;
}

const [base, head] = process.argv.slice(2, 4).map(readRuns);
if (head === undefined || head.size === 0) throw new Error('The runs of the new revision have no rows.');
const lines = [...head].map(([key, now]) => {
  const before = base.get(key);
  if (before === undefined) return { text: `| ${key} | – | ${now.median} | new |` };
  const change = `${((now.median / before.median - 1) * 100).toFixed(0)} %`;
  const isSlower = now.least > before.greatest && now.median > before.median * tolerance;
  return {
    text: `| ${key} | ${before.median} | ${now.median} | ${change}${isSlower ? ' **slower**' : ''} |`,
    isSlower,
  };
});
const missing = [...base.keys()].filter((key) => !head.has(key)).map((key) => `| ${key} | | – | removed |`);
console.log(
  ['| row | base | pull request | change |', '|---|--:|--:|--:|', ...lines.map(({ text }) => text), ...missing].join(
    '\n',
  ),
);
if (lines.some(({ isSlower }) => isSlower)) process.exitCode = 1;
