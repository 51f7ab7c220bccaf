import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureRows } from './compare.js';
import { writeReport } from './report.js';
import {
  answerTo,
  isOfManyObjects,
  requestOf,
  rowsOfManyObjects,
  type Side,
  selfRow,
  rows as servingRows,
  weightOf,
} from './rows.js';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    quick: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    many: { type: 'boolean', default: false },
    only: { type: 'string' },
    traced: { type: 'string', default: '' },
    untraced: { type: 'string', default: '' },
    'server-processor': { type: 'string' },
  },
});

const connections = 32;
const turns = values.quick ? 10 : 24;
const processes = values.quick ? 1 : 5;
const requests = values.quick ? 600 : 1_000;
const firstRequests = values.quick ? 3_000 : 24_000;

const rows = values.many ? rowsOfManyObjects : servingRows;
const wanted = [selfRow, ...rows]
  .filter((row) => !values.rest || row.baseline.request.toLowerCase().endsWith('rest'))
  .filter((row) => row === selfRow || values.only === undefined || row.title.includes(values.only));

const figuresOf = await measureRows<Side>(wanted, {
  command: ({ contender, variant }) => [variant === 'untraced' ? values.untraced : values.traced, contender],
  processor: values['server-processor'],
  requestOf: ({ request, contender }) => requestOf(request, contender),
  isRight: ({ request }, answer) => answer.trim() === JSON.stringify(answerTo(request)),
  connections,
  turns,
  processes,
  requests: (side) => Math.ceil(requests / weightOf(side)),
  firstRequests: (side) => (isOfManyObjects(side) ? firstRequests / 15 : firstRequests),
});

const { devDependencies } = JSON.parse(readFileSync(`${values.root}/package.json`, 'utf8')) as {
  devDependencies: Record<string, string>;
};
const peers = ['fastify', 'graphql-yoga', '@apollo/server', 'mercurius', 'sofa-api'].map((name) => [
  name,
  devDependencies[name] ?? '',
]);
const report = writeReport(rows, figuresOf, {
  nodeVersion: process.versions.node,
  isPinned: values['server-processor'] !== undefined,
  turns,
  processes,
  connections,
  peers: Object.fromEntries(peers),
});
console.log(report);
if (!values.quick && !values.rest && values.only === undefined)
  writeFileSync(`${values.root}/test/bench/REPORT-HTTP${values.many ? '-MANY' : ''}.md`, report);
