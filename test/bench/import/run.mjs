// Imports public descriptions and writes the figures: `npm run import:public -- <folder>`.
//
// The folder holds one file for each description; its name without the extension is that in the report. The report
// `REPORT.md` is beside this file. The descriptions of the committed report are these, which are not part of the
// repository:
//
//   GitHub REST.json         npm @octokit/openapi 23.0.2, generated/api.github.com.json
//   Discord.json             github.com/discord/discord-api-spec at 74fda0f, specs/openapi.json
//   Twilio.json              github.com/twilio/twilio-oai at d50069b, spec/json/twilio_api_v2010.json
//   Box.json                 github.com/box/box-openapi at c9a878a9, openapi.json
//   Stripe.json              github.com/stripe/openapi at e0123a38 (April 2022), openapi/spec3.json
//   DigitalOcean.json        github.com/digitalocean/openapi at 7c1300c4, specification/DigitalOcean-public.v2.yaml,
//                            bundled with npx @redocly/cli bundle
//   Linear.graphql           github.com/linear/linear at 8335e09a, packages/sdk/src/schema.graphql
//   GitHub GraphQL.graphql   npm @octokit/graphql-schema 15.26.1, schema.graphql
//   PayPal.json              github.com/paypal/postman-collections at f0f3f86, Collections/PayPal_Partner_APIs.json

import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, withProgramFolder } from '../../programs/bundle.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Pass the folder of the descriptions.');
const files = readdirSync(folder).filter((file) => /\.(?:json|ya?ml|graphql)$/.test(file));

/** The report as Markdown. */
function reportOf(rows) {
  const own = (row) => row.refused.filter((one) => one.own !== undefined);
  const lost = (row) => row.refused.filter((one) => one.own === undefined);
  const dropped = (row, isReported) => row.dropped.filter((one) => (one.reason !== undefined) === isReported);
  const table = rows.map((row) => {
    const examples = row.examples === 0 ? ['', '', '', ''] : examplesOf(row);
    const inputs = row.inputs === undefined ? '' : `${row.inputs.kept} of ${row.inputs.all}`;
    const cells = [
      ...[row.name, row.version, row.operations, row.withRoute, row.withoutRoute.length, row.types],
      ...[row.required, dropped(row, true).length, dropped(row, false).length, inputs, ...examples],
      ...[row.isServed ? 'yes' : 'no', row.seconds.toFixed(1), Math.round(row.megabytes)],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const sections = rows.flatMap((row) => [
    ...(row.withoutRoute.length + row.dropped.length + row.refused.length === 0 ? [] : [`## ${row.name}`, '']),
    ...listOf(
      'Operations without their route',
      row.withoutRoute,
      ({ key, reason }) => `${key}: ${reason ?? 'NOT REPORTED'}`,
    ),
    ...listOf(
      'Required arguments that are not imported',
      row.dropped,
      (one) => `${one.key}: ${one.in} ${one.name}. ${one.reason ?? 'NOT REPORTED'}`,
    ),
    ...listOf('Examples that are lost', lost(row), ({ subject, reason }) => `${subject}: ${reason}`),
    ...listOf('Examples that break their own description', own(row), (one) => `${one.subject}: ${one.own}`),
  ]);
  return `${[...introduction, ...table, '', ...sections].join('\n').trimEnd()}\n`;

  function examplesOf(row) {
    const accepted = row.examples - row.refused.length;
    const fit = row.examples - own(row).length;
    return [row.examples, own(row).length, accepted, `${((accepted / fit) * 100).toFixed(1)} %`];
  }
}

function listOf(title, items, textOf) {
  if (items.length === 0) return [];
  const line = (one) => `- \`${one.place}\` ${textOf(one).replaceAll('<', '\\<').replaceAll('|', '\\|')}`;
  return [`${title}:`, '', ...new Set(items.map(line)), ''];
}

const introduction = `# Imports of public descriptions

Written by \`npm run import:public\`. Each description is imported, compiled and served, and its own examples are replayed
against the imported API. The operations, the required arguments and the inputs are counted in the description itself,
not by the import.

- **without route**: operations of the description whose method and path no operation of the topology has, or another one.
- **dropped**: required arguments of imported operations that are no arguments of theirs; those that the report of the
  import has, and those that it does not have.
- **own mistakes**: examples that are refused, and that the description itself forbids, as Ajv finds: they break their
  schema, or have members in a request that it does not define.
- **share**: accepted examples of those without an own mistake.
- **seconds**: processor time of the import alone. **MB**: the most memory of the whole measurement.
- **inputs**: GraphQL inputs that have the same name and fields as in the source.

| description | version | operations | with route | without route | types | required arguments | dropped, reported | dropped, not reported | inputs | examples | own mistakes | accepted | share | served | seconds | MB |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|--:|`.split('\n');

await withProgramFolder('import', async (programs) => {
  await bundlePrograms(['test/bench/import/measure.ts'], programs);
  const rows = files.map((file) => {
    const program = [join(programs, 'measure.mjs'), join(resolve(folder), file)];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`${file}: ${stderr.slice(0, 2000)}`);
    const measured = JSON.parse(stdout.trim().split('\n').at(-1));
    console.log(`${file}: ${measured.withRoute} of ${measured.operations} operations`);
    return { name: file.slice(0, -extname(file).length), ...measured };
  });
  writeFileSync(fileURLToPath(new URL('REPORT.md', import.meta.url)), reportOf(rows));
});
