import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { configNames } from '../../../runtime/load/project-root.js';
import { cannotWrite, createFiles } from '../files/write-files.js';
import type { CliCommand } from '../terminal/command.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { findPackageSource, readDependencies } from './package-source.js';
import {
  dockerFiles,
  type ProjectFile,
  type ProjectSettings,
  projectFiles,
  readTemplate,
} from './project-template.js';

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
    const files = [
      ...(isPresent
        ? []
        : projectFiles({ name: packageName(basename(directory)), ...dependencies }, io.packageRoot)),
      ...(options.docker === true ? dockerFiles.map((file) => readTemplate(...file, io.packageRoot)) : []),
    ];
    const exists = ({ name }: ProjectFile) => existsSync(join(directory, name));
    const blocking = files.find((file) => belongTogether.has(file.name) && exists(file));
    if (blocking !== undefined) throw cannotWrite(join(shown, blocking.name), 'the file exists already');
    const kept = new Set(files.filter(exists));
    const fresh = files.filter((file) => !kept.has(file));
    const texts = Object.fromEntries(fresh.map(({ name, text }) => [name, text]));
    await createFiles(shown, texts, io);
    io.stdout(listFiles(shown, files, kept));
    if (!isPresent) io.stdout(nextSteps(shown, kept, missingPackages(directory, dependencies)));
    if (options.docker === true) {
      const image = packageName(basename(directory));
      io.stdout(`\nIn a container:\n  docker build -t ${image} .\n  docker run --rm -p 4000:4000 ${image}\n`);
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

type Versions = Pick<ProjectSettings, 'dependencies' | 'devDependencies'>;

function readVersions(directory: string, { packageRoot }: CliIo): Versions {
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
function missingPackages(directory: string, { dependencies }: Versions): readonly string[] {
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
