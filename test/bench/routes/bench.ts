import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { Answer } from '../../../src/runtime/http/answer.js';
import { createDocument } from '../../../src/runtime/http/document.js';
import { RouteTable } from '../../../src/runtime/http/rest/route-table.js';

/** The router of Fastify, as far as it is used here. */
interface Router {
  on(method: 'GET', path: string, handler: () => void): void;
  find(method: 'GET', path: string): object | null;
}

const { values } = parseArgs({
  options: { report: { type: 'string', default: '' }, quick: { type: 'boolean', default: false } },
});
const rounds = values.quick ? 5 : 31;
const requests = values.quick ? 50_000 : 200_000;
const routes = 500;

const findMyWay = createRequire(createRequire(import.meta.url).resolve('fastify'))('find-my-way') as () => Router;
const paths = Array.from({ length: routes }, (_, at) => `/api/things${100 + at}/{id}`);
const table = new RouteTable(paths.map((path) => [path, createDocument(() => new Answer(200, [], null))] as const));
const router = findMyWay();
for (const path of paths) router.on('GET', path.replace('{id}', ':id'), () => undefined);

/** Paths of different texts, as each request has one of its own. */
const asked = (route: number) => Array.from({ length: 64 }, (_, id) => `/api/things${100 + route}/${id}`);
const [first, last] = [asked(0), asked(routes - 1)];
const sides = {
  'the first route': () => take(first, (path) => table.get(path)),
  'the last route': () => take(last, (path) => table.get(path)),
  'the last route, find-my-way': () => take(last, (path) => router.find('GET', path)),
};

function take(list: readonly string[], find: (path: string) => unknown): number {
  const start = process.hrtime.bigint();
  for (let at = 0; at < requests; at++)
    if (!find(list[at % list.length] as string)) throw new Error('a route was not found');
  return Number(process.hrtime.bigint() - start) / requests;
}

const times = new Map(Object.keys(sides).map((name) => [name, [] as number[]]));
for (let round = -3; round < rounds; round++)
  for (const [name, measure] of Object.entries(sides)) {
    const time = measure();
    // The first rounds only warm up.
    if (round >= 0) times.get(name)?.push(time);
  }

const ratio = (one: string, other: string): string => {
  const others = times.get(other) ?? [];
  const ratios = (times.get(one) ?? []).map((time, round) => time / (others[round] ?? Number.NaN));
  return `${median(ratios).toFixed(2)}×`;
};
const rows = [...times].map(([name, list]) => `| ${name} | ${Math.round(median(list))} ns |`);
const text = `# The route table

\`npm run bench:routes\` writes this page: ${routes} routes with an argument, such as \`${paths[0]}\`. Time of a look-up,
median of ${rounds} rounds of ${requests} look-ups. Node ${process.versions.node}.

| | time |
|---|---|
${rows.join('\n')}

| the last route compared with | | target |
|---|---|---|
| the first route | ${ratio('the last route', 'the first route')} | ≤ 1.3× |
| find-my-way | ${ratio('the last route', 'the last route, find-my-way')} | ≤ 2× |
`;
console.log(text);
if (!values.quick) writeFileSync(values.report, text);

function median(list: readonly number[]): number {
  return [...list].sort((one, other) => one - other)[list.length >> 1] ?? Number.NaN;
}
