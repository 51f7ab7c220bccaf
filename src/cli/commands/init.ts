import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { diagnose } from '../../diagnostics/diagnostic.js';
import type { CliCommand } from '../terminal/command.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import type { ProjectFile } from './project-template.js';

const help = `
The directory is made when it is not there. Files that are there already stay as they are.
Nothing is downloaded.

Without a directory you are asked for one; with --yes, or where there is no terminal, it
is the one that you are in.

Examples:
  $ gg-svc init my-api
  $ gg-svc init --yes`;

/** `gg-svc init`: makes a project that can be served at once. */
export const initCommand: CliCommand = {
  usage: 'init [directory]',
  summary: 'make a new project: topology, resolvers, types, scripts',
  define: (command) => {
    command.option('-y, --yes', 'ask nothing').addHelpText('after', help);
  },
  async run(operands, options, io) {
    const shown = operands[0] ?? (options.yes === true ? '.' : await askDirectory(io));
    if (shown === undefined) {
      io.stderr('Nothing was made.\n');
      return exitCodes.findings;
    }
    const directory = resolve(io.directory, shown);
    const files = await makeFiles(basename(directory), io);
    const isThere = ({ name }: ProjectFile) => existsSync(join(directory, name));
    const blocking = files.find((file) => belongTogether.has(file.name) && isThere(file));
    if (blocking !== undefined) {
      const path = join(shown, blocking.name);
      const reason = 'it is there already, and init overwrites nothing';
      return report(diagnose('GG4006', { path, reason }, { file: path, start: 0, end: 0 }), io);
    }
    const kept = new Set(files.filter(isThere));
    const fresh = files.filter((file) => !kept.has(file));
    const { createFiles } = await import('../files/create-files.js');
    const texts = Object.fromEntries(fresh.map(({ name, text }) => [name, text]));
    const outcome = await createFiles(directory, shown, texts);
    if (!outcome.ok) return report(outcome.diagnostic, io);
    io.stdout(describeProject(shown, files, kept));
    return exitCodes.fine;
  },
};

/** Files that make no sense without each other: when one of them is there, none is made. */
const belongTogether: ReadonlySet<string> = new Set([
  'service.gg',
  'service.resolvers.mjs',
  'service.types.ts',
]);

/** The packages that a project needs to be served, beside this one; each is one of our peers. */
const servedWith = ['graphql', 'graphql-yoga', 'graphql-ws', 'ws'];

/** The one question. Where nobody can be asked, the answer is this directory. */
async function askDirectory(io: CliIo): Promise<string | undefined> {
  if (io.ask === undefined) return '.';
  const answer = await io.ask('Where shall the project be made? (.) ');
  return answer === undefined ? undefined : answer.trim() || '.';
}

async function makeFiles(directoryName: string, io: CliIo): Promise<readonly ProjectFile[]> {
  const { analyze } = await import('../../analyze.js');
  const { projectFiles, topologyFile, typesFileName } = await import('./project-template.js');
  const { emitTypes } = await import('../files/type-options.js');
  const { schema } = analyze({ name: topologyFile.name, source: topologyFile.text });
  const types: ProjectFile = {
    name: typesFileName,
    about: 'the types of both, made by gg-svc types',
    text: await emitTypes(schema, {}),
  };
  const [topology, resolvers, ...others] = projectFiles({
    name: packageName(directoryName),
    ...readVersions(io.packageRoot),
  });
  return [topology, resolvers, types, ...others].filter((file) => file !== undefined);
}

/** The versions that this package was made and tested with. */
function readVersions(packageRoot: URL) {
  const { version, peerDependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('package.json', packageRoot), 'utf8'),
  );
  const peers = Object.fromEntries(servedWith.map((name) => [name, String(peerDependencies[name])]));
  return {
    dependencies: { 'gg-svc': `^${version}`, ...peers },
    devDependencies: { typescript: `^${devDependencies.typescript}` },
  };
}

/** The name of the directory as a name that npm accepts. */
function packageName(directoryName: string): string {
  const name = directoryName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  return name === '' ? 'my-api' : name.slice(0, 200);
}

function describeProject(
  shown: string,
  files: readonly ProjectFile[],
  kept: ReadonlySet<ProjectFile>,
): string {
  const width = Math.max(...files.map(({ name }) => name.length));
  const tree = files.map((file, index) => {
    const branch = index === files.length - 1 ? '└──' : '├──';
    const about = kept.has(file) ? 'was there before; left as it is' : file.about;
    return `${branch} ${file.name.padEnd(width)}  ${about}\n`;
  });
  const goThere = shown === '.' ? '' : `  cd ${/[^\w./-]/.test(shown) ? `'${shown}'` : shown}\n`;
  const install = [...kept].some(({ name }) => name === 'package.json')
    ? `  npm install gg-svc ${servedWith.join(' ')}\n  npx gg-svc dev service.gg\n`
    : '  npm install\n  npm run dev\n';
  return `${shown}\n${tree.join('')}\nNext:\n${goThere}${install}\nThen open http://127.0.0.1:4000, and change service.gg.\n`;
}

async function report(diagnostic: ReturnType<typeof diagnose>, io: CliIo): Promise<number> {
  const { reportFindings } = await import('../terminal/report-findings.js');
  reportFindings([diagnostic], [], io);
  return exitCodes.findings;
}
