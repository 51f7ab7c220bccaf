import type { StoreModel } from '../../../../analysis/store/model.js';
import { storeModelOf } from '../../../../analysis/store/tables.js';
import { diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { OptionError } from '../../../../base/diagnostics/option-error.js';
import { wholeFile } from '../../../../base/source/span.js';
import type { Analysis } from '../../../../compiler/analyze.js';
import { settingError, storeOf } from '../../../../runtime/server/load-config.js';
import type { MigrateOptions, Migration, Store } from '../../../../runtime/store/store.js';
import { explainStore } from '../../../../runtime/store/store-error.js';
import { readTopology } from '../../files/read-topology.js';
import { type CliOptions, CommandFailure, type Invocation, UsageError } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import { reportFindings, requireValid } from '../../terminal/report-findings.js';

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

/** Reports why steps are not taken. */
export function reportRefusals(
  { refusals, steps }: Pick<Migration, 'refusals' | 'steps'>,
  allowLoss: boolean,
  { projectPath = '' }: CliOptions,
  io: CliIo,
): void {
  const losses = allowLoss ? [] : steps.filter(({ isLoss }) => isLoss);
  const place = wholeFile(projectPath);
  const found = [
    ...refusals.map((reason) => diagnose('GG7003', { reason }, place)),
    ...losses.map(({ summary }) => diagnose('GG7004', { step: summary }, place)),
  ];
  if (found.length > 0) reportFindings(found, [], io);
}
