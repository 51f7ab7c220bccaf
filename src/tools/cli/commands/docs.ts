import { readFile } from 'node:fs/promises';
import { createDiagram } from '../../../analysis/diagram/diagram.js';
import { type Drawing, drawDiagram, sizeProblem } from '../../../analysis/diagram/drawing.js';
import type { Release } from '../../../analysis/site/changelog.js';
import { createSite } from '../../../analysis/site/site.js';
import { siteFiles } from '../../../analysis/site/site-files.js';
import type { Analysis } from '../../../compiler/analyze.js';
import { withDefaults } from '../../../compiler/compile.js';
import { emitArtifacts } from '../files/artifacts.js';
import { replaceFiles } from '../files/owned-directory.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { type CliCommand, type CliOptions, UsageError } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { failure } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readEmitOptions, readText } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';
import { readReleases } from './docs/read-releases.js';

const help = `
Files are paths, globs in quotes ('topologies/*.gg'), URLs, or - for standard input.
Imported files are read too. All files form one topology.

Writes a page for each operation, type and error, the graph, a search, and the changelog
between git tags, each page as HTML and as Markdown; llms.txt; and the documents of the
API. Links are relative: the directory works on any web server, in any folder, and from
the disk. Files of the former run that are not written any more are removed.

Examples:
  $ gg-svc docs service.gg -o site
  $ gg-svc docs main.gg -o site --title 'Parcel API' --base-url https://api.example.com
  $ gg-svc docs main.gg -o site --tags 'api-*'      a changelog of other tags than v*`;

export const command: CliCommand = {
  project: 'files',
  define: (command) => {
    command
      .option('-o, --out <directory>', 'output directory; created if missing')
      .option('--title <text>', 'title of the site')
      .option('--name <text>', 'name of the collection (default: the title)')
      .option('--base-url <url>', 'public URL of the API, for the examples')
      .option('--tags <pattern>', 'git tags of the changelog (default: v*, if there are any)')
      .option('--no-tags', 'omit the changelog')
      .option('--strict', 'make everything without effect an error')
      .option('--no-federation', 'omit the federation queries')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const start = io.clock();
    const out = readText(options, 'out');
    if (out === undefined) throw new UsageError('docs needs an output directory: pass -o <directory>.');
    const names = readEmitOptions(options);
    const topology = await readTopology(operands, io, options);
    const { schema } = requireValid(joinFederation(topology, options), io);
    const { title, baseUrl } = withDefaults({ ...names, ...(schema.info && { info: schema.info }) });

    const { releases, missing } = await findReleases(operands, options, io, topology);
    const drawing = await draw(topology);
    const site = createSite({
      title,
      schema,
      sources: topology.sources,
      addresses: addressesOf(baseUrl, options),
      ...(drawing && { drawing }),
      ...(releases && { releases }),
    });
    const { written, unchanged, removed } = await replaceFiles(
      out,
      { ...siteFiles(site), ...(await readAssets(io)), ...emitArtifacts(schema, names, false) },
      io,
    );
    const took = Math.round(io.clock() - start);
    const changelog = releases === undefined ? `no changelog${missing}` : count(releases.length, 'release');
    io.stdout(
      `${out}: ${count(site.pages.length, 'page')}, ${changelog} — ` +
        `${written.length} files written, ${unchanged.length} unchanged, ${removed.length} removed (${took} ms)\n`,
    );
    return exitCodes.fine;
  },
};

/** The releases of the changelog, or why there are none. Without `--tags`, the reason is only mentioned. */
async function findReleases(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
  { schema }: Analysis,
): Promise<{ readonly releases?: readonly Release[]; readonly missing: string }> {
  if (options.tags === false) return { missing: '' };
  const given = readText(options, 'tags');
  const pattern = given ?? 'v*';
  const found = await readReleases(operands, pattern, io, schema, options.project?.imports);
  if (typeof found !== 'string') return { releases: found, missing: '' };
  if (given !== undefined) throw failure('GG5065', { pattern, reason: found }, pattern);
  return { missing: ` (${found})` };
}

async function draw({ ir, schema }: Analysis): Promise<Drawing | undefined> {
  const diagram = createDiagram(ir, schema);
  if (diagram === undefined) throw new Error('invariant: a topology without errors has a diagram');
  if (sizeProblem(diagram) !== undefined) return undefined;
  const { instance } = await import('@viz-js/viz');
  return drawDiagram(diagram, await instance());
}

/** A base URL with a path is that of GraphQL, as in the collection. */
function addressesOf(baseUrl: string, { project }: CliOptions) {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  if (path === '') return { origin, endpoint: project?.server?.endpoint ?? '/graphql' };
  const at = path.lastIndexOf('/');
  return { origin: origin + path.slice(0, at), endpoint: path.slice(at) };
}

async function readAssets({ packageRoot }: CliIo): Promise<Readonly<Record<string, string>>> {
  const read = (name: string) => readFile(new URL(`dist/pages/site/${name}`, packageRoot), 'utf8');
  return { 'site.js': await read('site.js'), 'style.css': await read('style.css') };
}
