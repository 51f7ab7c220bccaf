import { hash } from 'node:crypto';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createDiagram } from '../../../analysis/diagram/diagram.js';
import type { Drawing } from '../../../analysis/diagram/drawing.js';
import { drawDiagram, sizeProblem } from '../../../analysis/diagram/layout.js';
import { diffSchemas } from '../../../analysis/diff/diff-schemas.js';
import type { Release } from '../../../analysis/site/changelog.js';
import { createSite } from '../../../analysis/site/site.js';
import { siteFiles } from '../../../analysis/site/site-files.js';
import { hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { isWebUrl } from '../../../base/source/parse-url.js';
import type { Analysis } from '../../../compiler/analyze.js';
import { withDefaults } from '../../../compiler/compile.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { analyzeTopologies } from '../../../runtime/load/analyze-topologies.js';
import { emitArtifacts } from '../files/artifacts.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { Repository } from '../files/repository.js';
import { type FileTree, filesFor, readRevisionTree, toLocal } from '../files/trees.js';
import { writeFiles } from '../files/write-files.js';
import { type CliCommand, CommandFailure, type Invocation, UsageError } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { failure } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readEmitOptions, readText } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';

export const command: CliCommand = {
  doing: 'Writing the site',
  project: 'files',
  options: {
    '-o, --out <directory>': 'output directory; created if missing',
    '--title <text>': 'title of the site',
    '--name <text>': 'name of the collection (default: the title)',
    '--base-url <url>': 'public URL of the API, for the examples',
    '--tags <pattern>': 'git tags of the changelog (default: v*, if there are any)',
    '--no-tags': 'omit the changelog',
    '--strict': 'make everything without effect an error',
    '--no-federation': 'omit the federation queries',
  },
  async run(operands, options, io) {
    const start = io.clock();
    const out = readText(options, 'out');
    if (out === undefined) throw new UsageError('docs needs an output directory: pass -o <directory>.');
    const names = readEmitOptions(options);
    const topology = await readTopology(operands, io, options);
    const { schema } = requireValid(joinFederation(topology, options), io);
    const { title, baseUrl } = withDefaults({ ...names, ...(schema.info && { info: schema.info }) });

    const releases = await findReleases({ operands, options, io }, topology);
    const drawing = await draw(topology);
    const site = createSite({
      title,
      schema,
      sources: topology.sources,
      addresses: addressesOf(baseUrl, options.project?.server?.endpoint),
      ...(drawing && { drawing }),
      ...(typeof releases !== 'string' && { releases }),
    });
    const { written, unchanged, removed } = await replaceFiles(
      out,
      { ...siteFiles(site), ...(await readAssets(io)), ...emitArtifacts(schema, names, false) },
      io,
    );
    const took = Math.round(io.clock() - start);
    const changelog = typeof releases === 'string' ? `no changelog${releases}` : count(releases.length, 'release');
    io.stdout(
      `${out}: ${count(site.pages.length, 'page')}, ${changelog} — ` +
        `${written.length} files written, ${unchanged.length} unchanged, ${removed.length} removed (${took} ms)\n`,
    );
    return exitCodes.fine;
  },
};

/** The releases of the changelog, or why there are none. Without `--tags`, the reason is only mentioned. */
async function findReleases(started: Invocation, { schema }: Analysis) {
  if (started.options.tags === false) return '';
  const given = readText(started.options, 'tags');
  const pattern = given ?? 'v*';
  const found = await readReleases(started, pattern, schema);
  if (typeof found !== 'string') return found;
  if (given !== undefined) throw failure('GG5065', { pattern, reason: found }, pattern);
  return ` (${found})`;
}

async function draw({ ir, schema }: Analysis): Promise<Drawing | undefined> {
  const diagram = createDiagram(ir, schema);
  if (diagram === undefined) throw new Error('invariant: a topology without errors has a diagram');
  if (sizeProblem(diagram) !== undefined) return undefined;
  const { instance } = await import('@viz-js/viz');
  return drawDiagram(diagram, await instance());
}

/** A base URL with a path is that of GraphQL, as in the collection. */
function addressesOf(baseUrl: string, endpoint = '/graphql') {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  if (path === '') return { origin, endpoint };
  const at = path.lastIndexOf('/');
  return { origin: origin + path.slice(0, at), endpoint: path.slice(at) };
}

async function readAssets({ packageRoot }: CliIo): Promise<Readonly<Record<string, string>>> {
  const read = async (name: string) =>
    [name, await readFile(new URL(`dist/pages/site/${name}`, packageRoot), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(['site.js', 'style.css', '404.html'].map(read)));
}

/**
 * Reads the topology at each git tag, without a checkout, and compares it with the tag before. The current topology is
 * the newest release, if its API differs from the last tag.
 *
 * @returns The newest release first; or why there are none.
 */
async function readReleases({ operands, options, io }: Invocation, pattern: string, current: GqlSchema) {
  const outside = operands.find((operand) => operand === '-' || isWebUrl(operand));
  if (outside !== undefined) return `${outside} is in no revision`;
  const paths = operands.map((operand) => toLocal(operand, io.directory));
  let repository: Repository;
  try {
    repository = await Repository.open(io);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const isOutside = error.diagnostics.some(({ code }) => code === 'GG5020');
    return isOutside ? 'not a git repository' : error.message.replace(/\.$/, '');
  }
  const tags = await repository.tags(pattern);
  if (tags.length === 0) return 'no tag in the history of HEAD matches';

  const releases: Release[] = [];
  let before: GqlSchema | undefined;
  for (const { name, date } of tags) {
    const commit = await repository.resolve(`refs/tags/${name}`);
    if (commit === undefined) continue;
    const tree = await readRevisionTree(repository, { name, commit }, paths, { imports: options.project?.imports });
    const found = await schemaIn(tree, paths);
    if ('problem' in found) releases.push({ name, date, problem: found.problem });
    else {
      releases.push({ name, date, ...(before && { changes: diffSchemas(before, found.schema) }) });
      before = found.schema;
    }
  }
  const changes = before === undefined ? [] : diffSchemas(before, current);
  if (changes.length > 0) releases.push({ name: 'Unreleased', changes });
  return releases.reverse();
}

async function schemaIn(tree: FileTree, paths: readonly string[]) {
  const files = paths.flatMap((path) => filesFor(tree, path));
  if (files.length === 0) return { problem: 'The topology did not exist.' };
  const { schema, diagnostics } = await analyzeTopologies(files, tree.loader);
  return hasErrors(diagnostics) ? { problem: 'The topology has errors.' } : { schema };
}

/** The list of the files that a command wrote into a directory, in that directory. */
const manifest = '.gg-svc-files.json';

/**
 * Writes files like `writeFiles`, and removes the files of the former run that are not written any more. Files that
 * another program wrote or changed are neither replaced nor removed: a list in the directory has the hash of each file.
 *
 * @throws {CommandFailure} GG5064 for a file of another program, and GG4006 when a file cannot be written.
 */
async function replaceFiles(directory: string, files: Readonly<Record<string, string>>, io: CliIo) {
  const location = resolve(io.directory, directory);
  const former = await readManifest(location);
  const hashes = new Map(Object.entries(files).map(([name, text]) => [name, hash('sha256', text)]));
  for (const [name, fresh] of hashes) {
    const found = await hashOfFile(join(location, name));
    if (found === undefined || found === fresh || former.has(name)) continue;
    const path = join(directory, name);
    throw failure('GG5064', { path }, path);
  }
  const list = `${JSON.stringify({ files: Object.fromEntries(hashes) }, null, 2)}\n`;
  const { written, unchanged } = await writeFiles(directory, { ...files, [manifest]: list }, io);
  const removed: string[] = [];
  for (const [name, known] of former) {
    const path = join(location, name);
    if (Object.hasOwn(files, name) || (await hashOfFile(path)) !== known) continue;
    await rm(path, { force: true });
    // Only an empty directory can be removed.
    if (dirname(path) !== location) await rmdir(dirname(path)).catch(() => undefined);
    removed.push(join(directory, name));
  }
  const isListed = (path: string) => path !== join(directory, manifest);
  return { written: written.filter(isListed), unchanged: unchanged.filter(isListed), removed };
}

/** The hashes of the files of the former run, by name. Entries outside the directory are ignored. */
async function readManifest(location: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(location, manifest), 'utf8').catch(() => '{}');
  let files: unknown;
  try {
    files = (JSON.parse(text) as { readonly files?: unknown }).files;
  } catch {
    return new Map();
  }
  const entries = typeof files === 'object' && files !== null ? Object.entries(files) : [];
  return new Map(entries.filter(([name, hash]) => isBelow(name) && typeof hash === 'string'));
}

function isBelow(name: string): boolean {
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\\'));
}

async function hashOfFile(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && hash('sha256', bytes);
}
