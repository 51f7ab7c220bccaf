import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { ProblemError } from '../../../runtime/call/problem.js';
import { type TestFiles, testFolderOf } from '../../studio/save-test.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { chooseModule } from './modules.js';

/** The files of the tests of a command: in `tests`, next to its first topology. */
export function testFilesOf(operands: readonly string[], options: CliOptions, io: CliIo): TestFiles {
  const { directory } = io;
  const moduleOf = (kind: 'resolvers' | 'context') => chooseModule(kind, operands, options, io).path;
  return {
    async setup() {
      const [resolvers, context] = [moduleOf('resolvers'), moduleOf('context')];
      return {
        topologies: operands,
        folder: testFolderOf(operands),
        ...(resolvers === undefined
          ? {}
          : { resolvers: { path: resolvers, isDefault: await hasDefault(resolve(directory, resolvers)) } }),
        ...(context === undefined ? {} : { context }),
        hasProject: options.projectPath !== undefined,
      };
    },
    async create(path, text) {
      const file = resolve(directory, path);
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
