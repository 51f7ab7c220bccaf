import { OptionError } from '../../../base/diagnostics/option-error.js';
import { ProblemError } from '../../../runtime/call/problem.js';
import { manageRuns } from '../../../runtime/runs/manage-runs.js';
import { settingError, storeOf } from '../../../runtime/server/load-config.js';
import { runsBeside } from '../../../runtime/server/open-runs.js';
import { type CliCommand, CommandFailure, type Invocation, UsageError, withDefault } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';
import { readNumber } from '../terminal/option-values.js';

/** The commands of `gg-svc runs`. */
export const commands = {
  list: {
    project: 'options',
    options: { '-n, --limit <number>': withDefault('the number of runs, the newest first', '20') },
    async run(_, options, io) {
      const limit = readNumber(options.limit, '--limit', 1_000);
      for (const { id, createdAt, state, chain, step } of await withRuns({ options, io }, (runs) => runs.list(limit)))
        io.stdout(`${[id, createdAt, state.padEnd(9), chain, step].filter(Boolean).join('  ')}\n`);
      return exitCodes.fine;
    },
  },
  show: {
    project: 'options',
    async run([id = ''], options, io) {
      const run = await withRuns({ options, io }, (runs) => runs.read(id));
      if (run === undefined) throw noSuchRun(id);
      io.stdout(`${JSON.stringify(run, null, 2)}\n`);
      return exitCodes.fine;
    },
  },
  retry: {
    project: 'options',
    async run([id = ''], options, io) {
      const begun = await withRuns({ options, io }, (runs) => runs.retry(id));
      if (begun === undefined) throw noSuchRun(id, 'failed or cancelled ');
      io.stdout(`The run ${begun} continues ${id}.\n`);
      return exitCodes.fine;
    },
  },
  cancel: {
    project: 'options',
    options: { '--no-undo': 'end it at once, also while it undoes its steps: what is done then stays done' },
    async run([id = ''], options, io) {
      const undo = options.undo !== false;
      if (!(await withRuns({ options, io }, (runs) => runs.cancel(id, undo)))) throw noSuchRun(id, 'open ');
      io.stdout(`The run ${id} is cancelled.\n`);
      return exitCodes.fine;
    },
  },
} satisfies Readonly<Record<string, CliCommand>>;

/** Does something with the runs in the database of the project, and closes it. */
async function withRuns<T>(
  { options, io }: Omit<Invocation, 'operands'>,
  use: (runs: Awaited<ReturnType<typeof manageRuns>>) => Promise<T>,
): Promise<T> {
  const { project = {}, projectPath = '' } = options;
  try {
    const place = runsBeside(storeOf(project, io.directory));
    if (place === undefined)
      throw new UsageError('runs needs a database: set “server.runs” or “server.store” in the project file.');
    const runs = await manageRuns(place);
    try {
      return await use(runs);
    } finally {
      await runs.close();
    }
  } catch (error) {
    if (error instanceof ProblemError) throw new UsageError(`${error.message} ${(error.cause as Error).message}`);
    throw error instanceof OptionError ? new CommandFailure([settingError(error, projectPath)]) : error;
  }
}

/** The failure of a command whose run does not exist, or is in another state. */
function noSuchRun(id: string, state = ''): UsageError {
  return new UsageError(`There is no ${state}run ${id}. “gg-svc runs list” lists the runs.`);
}
