import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { dirname, extname, resolve } from 'node:path';
import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { wholeFile } from '../../../base/source/span.js';
import { allRoutes } from '../../../compiler/api/rest-routes.js';
import { ProblemError } from '../../../runtime/call/problem.js';
import { createFetchListener } from '../../../runtime/hosts/node/node.js';
import { type TestFiles, testFolderOf } from '../../studio/save-test.js';
import type { Studio } from '../../studio/studio.js';
import { replaceFile } from '../files/write-files.js';
import type { CliOptions, Invocation } from '../terminal/command.js';
import { failure } from '../terminal/failure.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import { reportFindings } from '../terminal/report-findings.js';
import { type ApiLoaders, chooseModule } from './modules.js';
import type { OpenedApi } from './open-api.js';
import { versionsOf } from './open-versions.js';

/** The shortest token that cannot be guessed by trying. */
const minToken = 16;

export interface StudioMode {
  /** Whether the server watches its files. */
  readonly isWatching: boolean;
  /** Whether the studio is served unless `--no-studio` is given, for this is `dev`. Otherwise it is served with `--studio`. */
  readonly isDev: boolean;
}

/** Opens the studio of a command, if it is on. @throws {CommandFailure} GG5060, GG5061 without a usable token. */
export async function openStudio(started: Invocation, { isWatching, isDev }: StudioMode, loaders: ApiLoaders) {
  const { operands, options, io } = started;
  const { directory, env, packageRoot } = io;
  const token = env.GG_SVC_STUDIO_TOKEN || undefined;
  const isAllowed = env.NODE_ENV !== 'production' || token !== undefined;
  if (isDev ? options.studio === false || !isAllowed : options.studio !== true) return undefined;
  if (!isDev && token === undefined) throw failure('GG5060', {}, '--studio');
  if (token !== undefined && token.length < minToken)
    throw failure('GG5061', { length: token.length, minimum: minToken }, 'GG_SVC_STUDIO_TOKEN');
  const { Studio } = await import('../../studio/studio.js');
  const files = {
    read: (name: string) => readFile(resolve(directory, name), 'utf8').catch(() => undefined),
    write: async (name: string, text: string) => void (await replaceFile(name, text, { directory })),
  };
  return new Studio({
    title: operands.join(', '),
    apiTitle: readText(options, 'title'),
    endpoint: endpointOf(options),
    assets: new URL('dist/pages/studio/', packageRoot),
    siteAssets: new URL('dist/pages/site/', packageRoot),
    // The bundler puts the module of the layout thread next to this one.
    layoutWorker: new URL(`./layout-worker${extname(import.meta.url)}`, import.meta.url),
    ...(token && { token }),
    ...(isWatching && { files, tests: testFilesOf(started), versions: versionsOf(started, loaders) }),
  });
}

/** Shows an API that was opened. Reports the paths of the API that the studio hides (GG5062). */
export function showApi(studio: Studio, opened: OpenedApi, options: CliOptions, io: CliIo): void {
  const { analysis } = opened;
  if (!opened.ok) {
    studio.show({ analysis, findings: opened.findings });
    return;
  }
  const { given, resolvers, schema } = opened;
  const hidden = [
    { path: endpointOf(options), span: wholeFile(options.projectPath ?? 'server.endpoint') },
    ...allRoutes(schema).map(({ path, operation }) => ({
      path,
      span: operation.edges[0]?.span ?? wholeFile(''),
    })),
  ]
    .filter(({ path }) => isStudioPath(path))
    .map(({ path, span }) => diagnose('GG5062', { path }, span));
  reportFindings(hidden, analysis.sources, io);
  const { path } = resolvers;
  const modules = given === undefined || path === undefined ? {} : { resolvers: { path, given } };
  studio.show({ analysis, findings: [...opened.findings, ...hidden], served: { schema, ...modules } });
}

function endpointOf({ project }: CliOptions): string {
  return project?.server?.endpoint ?? '/graphql';
}

/** Serves the studio in front of an API. */
export function withStudio(studio: Studio | undefined, api: RequestListener): RequestListener {
  if (studio === undefined) return api;
  const page = createFetchListener((request, peer) => studio.fetch(request, peer));
  return (request, response) => (isStudioPath(request.url ?? '') ? page(request, response) : api(request, response));
}

function isStudioPath(url: string): boolean {
  return /^\/_gg(?:[/?]|$)/.test(url);
}

/** The files of the tests of a command: in `tests`, next to its first topology. */
function testFilesOf(started: Invocation): TestFiles {
  const { operands, options, io } = started;
  return {
    async setup() {
      const { path: resolvers } = chooseModule('resolvers', started);
      const { path: context } = chooseModule('context', started);
      return {
        topologies: operands,
        folder: testFolderOf(operands),
        ...(resolvers && {
          resolvers: { path: resolvers, isDefault: await hasDefault(resolve(io.directory, resolvers)) },
        }),
        ...(context && { context }),
        hasProject: options.projectPath !== undefined,
      };
    },
    async create(path, text) {
      const file = resolve(io.directory, path);
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text, { flag: 'wx' });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        const detail = `Cannot write ${path}: ${describeSystemError(error)}.`;
        throw new ProblemError({ status: 409, detail });
      }
    },
  };
}

/** Whether a module has a default export. A CommonJS module has one that is its exports. */
async function hasDefault(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8');
  return /\bexport\s+default\b|\bas\s+default\b/.test(text) || !/^\s*export\b/m.test(text);
}
