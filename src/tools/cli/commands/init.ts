import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configNames } from '../../../runtime/load/project-root.js';
import { createFiles } from '../files/write-files.js';
import type { CliCommand } from '../terminal/command.js';
import { failure } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';

const help = `
Creates the directory if it is missing. Existing files are never overwritten, and nothing is
downloaded.

Without a directory, init asks for one; with --yes, or without a terminal, it uses the
current directory.

With --docker, the project gets a Dockerfile and a .dockerignore. Where there is a project
file already, only these two are created.

Examples:
  $ gg-svc init my-api
  $ gg-svc init --yes
  $ gg-svc init --docker`;

export const command: CliCommand = {
  define: (command) => {
    command
      .option('-y, --yes', 'use the current directory without asking')
      .option('--docker', 'add a Dockerfile')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const shown = operands[0] ?? (options.yes === true ? '.' : await askDirectory(io));
    if (shown === undefined) {
      io.stderr('Canceled; no files were created.\n');
      return exitCodes.findings;
    }
    const directory = resolve(io.directory, shown);
    const dependencies = readVersions(directory, io);
    const hasProject = configNames.some((name) => existsSync(join(directory, name)));
    const isPresent = options.docker === true && hasProject;
    const name = packageName(basename(directory));
    const files = [
      ...(isPresent ? [] : projectFiles(name, dependencies, io.packageRoot)),
      ...(options.docker === true ? dockerFiles.map((file) => readTemplate(...file, io.packageRoot)) : []),
    ];
    const exists = ({ name }: ProjectFile) => existsSync(join(directory, name));
    const blocking = files.find((file) => belongTogether.has(file.name) && exists(file));
    if (blocking !== undefined) {
      const path = join(shown, blocking.name);
      throw failure('GG4006', { path, reason: 'the file exists already' }, path);
    }
    const kept = new Set(files.filter(exists));
    const fresh = files.filter((file) => !kept.has(file));
    const texts = Object.fromEntries(fresh.map(({ name, text }) => [name, text]));
    await createFiles(shown, texts, io);
    io.stdout(listFiles(shown, files, kept));
    if (!isPresent) io.stdout(nextSteps(shown, kept, missingPackages(directory, dependencies)));
    if (options.docker === true) {
      io.stdout(`\nIn a container:\n  docker build -t ${name} .\n  docker run --rm -p 4000:4000 ${name}\n`);
    }
    return exitCodes.fine;
  },
};

/** Files that only work together: if one of them exists, none is created. */
const belongTogether: ReadonlySet<string> = new Set([
  'service.gg',
  'service.resolvers.mjs',
  'service.types.ts',
]);

const serverPackages = ['graphql', 'graphql-yoga', 'graphql-ws', 'ws', '@graphql-yoga/render-graphiql'];

/** Asks for the directory; without a terminal, the current one. Undefined when the user cancels. */
async function askDirectory(io: CliIo): Promise<string | undefined> {
  if (io.ask === undefined) return '.';
  const answer = await io.ask('Project directory (.) ');
  return answer === undefined ? undefined : answer.trim() || '.';
}

/** The dependencies of the project: package names and version ranges. */
interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface ProjectFile {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

function readVersions(directory: string, { packageRoot }: CliIo): Dependencies {
  const { version, peerDependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('package.json', packageRoot), 'utf8'),
  );
  const peers = Object.fromEntries(serverPackages.map((name) => [name, String(peerDependencies[name])]));
  return {
    dependencies: { 'gg-svc': findPackageSource(packageRoot, version, directory), ...peers },
    devDependencies: { typescript: `^${devDependencies.typescript}` },
  };
}

/** What `npm install` has to be given in a project that has a package.json already. */
function missingPackages(directory: string, { dependencies }: Dependencies): readonly string[] {
  const declared = readDependencies(directory);
  return Object.entries(dependencies)
    .filter(([name]) => !Object.hasOwn(declared, name))
    .map(([name, range]) => (range.startsWith('^') ? name : range));
}

function packageName(directoryName: string): string {
  const name = directoryName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  return name === '' ? 'my-api' : name.slice(0, 200);
}

function listFiles(shown: string, files: readonly ProjectFile[], kept: ReadonlySet<ProjectFile>): string {
  const width = Math.max(...files.map(({ name }) => name.length));
  const tree = files.map((file, index) => {
    const branch = index === files.length - 1 ? '└──' : '├──';
    const about = kept.has(file) ? 'exists already; not changed' : file.about;
    return `${branch} ${file.name.padEnd(width)}  ${about}\n`;
  });
  return `${shown}\n${tree.join('')}`;
}

function nextSteps(shown: string, kept: ReadonlySet<ProjectFile>, missing: readonly string[]): string {
  const goThere = shown === '.' ? '' : `  cd ${quote(shown)}\n`;
  const install = [...kept].some(({ name }) => name === 'package.json')
    ? `${missing.length === 0 ? '' : `  npm install ${missing.map(quote).join(' ')}\n`}  npx gg-svc dev service.gg\n`
    : '  npm install\n  npm run dev\n';
  return `\nNext:\n${goThere}${install}\nThen open the studio at http://127.0.0.1:4000/_gg/ and edit service.gg.\n`;
}

/** A word for a shell. */
function quote(word: string): string {
  return /[^\w@:./-]/.test(word) ? `'${word}'` : word;
}

const dockerFiles: readonly (readonly [name: string, about: string])[] = [
  ['Dockerfile', 'the container image'],
  ['.dockerignore', 'files that stay out of the image'],
];

function projectFiles(
  name: string,
  { dependencies, devDependencies }: Dependencies,
  packageRoot: URL,
): readonly ProjectFile[] {
  const scripts = {
    dev: 'gg-svc dev',
    build: 'gg-svc build',
    check: 'gg-svc fmt --check && gg-svc check && gg-svc types && tsc',
    test: 'gg-svc test',
  };
  const manifest = { name, private: true, type: 'module', scripts, dependencies, devDependencies };
  return [
    readTemplate('service.gg', 'the topology, which defines the API', packageRoot),
    readTemplate('service.resolvers.mjs', 'the resolvers, loaded automatically', packageRoot),
    readTemplate('service.types.ts', 'TypeScript types, generated by gg-svc types', packageRoot),
    readTemplate(
      'gg-svc.config.mjs',
      'the project file: sources, outputs, settings of the server',
      packageRoot,
    ),
    {
      name: 'package.json',
      about: 'dependencies and scripts',
      text: `${JSON.stringify(manifest, null, 2)}\n`,
    },
    readTemplate('tsconfig.json', 'type-checks the resolvers', packageRoot),
    { name: '.gitignore', about: 'ignores generated files', text: 'node_modules/\nout/\n' },
  ];
}

function readTemplate(name: string, about: string, packageRoot: URL): ProjectFile {
  return { name, about, text: readFileSync(new URL(`docs/examples/project/${name}`, packageRoot), 'utf8') };
}

/**
 * The dependency with which a project gets the same gg-svc: a range of versions of the registry, or, if this one came
 * from somewhere else (a packed file, a checkout, a git repository), that place.
 */
function findPackageSource(packageRoot: URL, version: string, project: string): string {
  const root = fileURLToPath(packageRoot);
  const [host, ...below] = root.split(/[/\\]node_modules[/\\]/);
  if (host === undefined || below.length === 0) return fileSpec(root, project);
  // The package.json of the project, or of the folder that npx made, says what was asked for.
  const given = readDependencies(host)['gg-svc'];
  const path = /^(?:file|link):(.*)$/.exec(given ?? '')?.[1];
  if (path !== undefined && existsSync(resolve(host, path))) return fileSpec(resolve(host, path), project);
  return given !== undefined && /^(?:https?|git[a-z+]*|github|gitlab|bitbucket):/.test(given)
    ? given
    : `^${version}`;
}

/** The dependencies that a folder's package.json declares; none if there is no valid one. */
function readDependencies(folder: string): Readonly<Record<string, string>> {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { ...manifest.peerDependencies, ...manifest.devDependencies, ...manifest.dependencies };
  } catch {
    return {};
  }
}

function fileSpec(path: string, project: string): string {
  return `file:${relative(project, path).replaceAll('\\', '/') || '.'}`;
}
