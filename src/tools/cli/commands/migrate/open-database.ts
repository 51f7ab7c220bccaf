import { type StoreModel, storeModelOf } from '../../../../analysis/store/model.js';
import { OptionError } from '../../../../base/diagnostics/option-error.js';
import type { Analysis } from '../../../../compiler/analyze.js';
import { settingError, storeOf } from '../../../../runtime/server/load-config.js';
import type { MigrateOptions, Migration, Store } from '../../../../runtime/store/store.js';
import { explainStore } from '../../../../runtime/store/store-error.js';
import { readTopology } from '../../files/read-topology.js';
import { CommandFailure, type Invocation, UsageError } from '../../terminal/command.js';
import { requireValid } from '../../terminal/report-findings.js';

/** Finds the steps from the database of the project to a topology, and takes them with `apply`. */
export function migrateDatabase(started: Invocation, how: MigrateOptions = {}): Promise<Migration> {
  return withDatabase(started, 'migrate', (store, model) => store.migrate(model, how));
}

/** Does something with the database of the project and the tables of a topology, and closes it. */
export async function withDatabase<T>(
  { operands, options, io }: Invocation,
  command: string,
  use: (store: Store, model: StoreModel, analysis: Analysis) => Promise<T>,
): Promise<T> {
  const { project = {}, projectPath = '' } = options;
  const analysis = requireValid(await readTopology(operands, io, options), io);
  const { model, diagnostics } = storeModelOf(analysis.schema);
  requireValid({ ...analysis, diagnostics }, io);
  try {
    const { store } = storeOf(project, io.directory);
    if (store === undefined)
      throw new UsageError(`${command} needs a database: set “server.store” in the project file.`);
    try {
      return await use(store, model, analysis);
    } catch (error) {
      throw explainStore(error);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw error instanceof OptionError ? new CommandFailure([settingError(error, projectPath)]) : error;
  }
}

/** The reasons why steps are not taken, each on a line of its own. */
export function refusalsOf({ refusals, steps }: Migration, allowLoss: boolean): readonly string[] {
  const losses = allowLoss ? [] : steps.filter(({ isLoss }) => isLoss);
  return [
    ...refusals.map((reason) => `error: ${reason}.\n`),
    ...losses.map(({ summary }) => `error: “${summary}” deletes values; --allow-loss permits it.\n`),
  ];
}
