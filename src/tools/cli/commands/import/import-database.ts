import { resolve } from 'node:path';
import { finishDraft, lossText } from '../../../../analysis/import/import-description.js';
import { draftOfModel } from '../../../../analysis/store/catalog/draft-of-model.js';
import { parseUrl } from '../../../../base/source/parse-url.js';
import { PeerMissingError } from '../../../../runtime/load/load-peer.js';
import { readPostgresSchema, readSqliteFile } from '../../../../runtime/store/read-database.js';
import { failure } from '../../terminal/failure.js';
import type { CliIo } from '../../terminal/io.js';

/** Imports the tables of a database, which it does not change. */
export async function importDatabase(operand: string, format: 'PostgreSQL' | 'SQLite', { directory }: CliIo) {
  const isPostgres = format === 'PostgreSQL';
  const name = isPostgres ? withoutPassword(operand) : operand;
  const found = await (isPostgres ? readPostgresSchema(operand) : readSqliteFile(resolve(directory, operand))).catch(
    (error: unknown) => {
      if (error instanceof PeerMissingError) throw error;
      const reason =
        error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
      throw failure('GG7007', { reason: reason.replace(/\.$/, '') }, name);
    },
  );
  const draft = draftOfModel(found);
  const { value, reason } = finishDraft(draft);
  if (value === undefined) throw failure('GG7008', { reason: reason || lossText(draft.losses[0]) }, name);
  return { name, imported: { format, ...value, examples: [] } };
}

/** The address as messages and reports show it. */
function withoutPassword(address: string): string {
  const { host, pathname } = parseUrl(address) ?? { host: '', pathname: '' };
  return `postgres://${host}${pathname}`;
}
