import { OptionError } from '../../../../base/diagnostics/option-error.js';
import { manageRuns } from '../../../../runtime/runs/manage-runs.js';
import { settingError, storeOf } from '../../../../runtime/server/load-config.js';
import { runsBeside } from '../../../../runtime/server/open-runs.js';
import { CommandFailure, type Invocation, UsageError } from '../../terminal/command.js';

/** Does something with the runs in the database of the project, and closes it. */
export async function withRuns<T>(
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
    throw error instanceof OptionError ? new CommandFailure([settingError(error, projectPath)]) : error;
  }
}

/** The failure of a command whose run does not exist, or is in another state. */
export function noSuchRun(id: string, state = ''): UsageError {
  return new UsageError(`There is no ${state}run ${id}. “gg-svc runs list” lists the runs.`);
}
