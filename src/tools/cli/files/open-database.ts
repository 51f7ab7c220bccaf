import type { StoreModel } from '../../../analysis/store/model.js';
import { storeModelOf } from '../../../analysis/store/tables.js';
import { OptionError } from '../../../base/diagnostics/option-error.js';
import type { Analysis } from '../../../compiler/analyze.js';
import { settingError, storeOf } from '../../../runtime/server/load-config.js';
import type { Store } from '../../../runtime/store/store.js';
import { explainStore } from '../../../runtime/store/store-error.js';
import { CommandFailure, type Invocation, UsageError } from '../terminal/command.js';
import { requireValid } from '../terminal/report-findings.js';
import { readTopology } from './read-topology.js';

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
