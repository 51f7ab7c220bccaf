import { parseDocument } from 'yaml';
import type { YamlReader } from '../../../analysis/import/import-description.js';

/** Reads YAML 1.2 with merge keys. Aliases that expand to many nodes, or to themselves, are refused. */
export const readYaml: YamlReader = (text) => {
  const document = parseDocument(text, { merge: true, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return { reason: reasonOf(error), start: error.pos[0] };
  try {
    // JSON has neither cycles nor values such as infinity.
    return { value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }))) };
  } catch (fault) {
    const isCycle = fault instanceof TypeError;
    return { reason: isCycle ? 'an alias is part of what it stands for' : reasonOf(fault), start: 0 };
  }
};

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').replace(/\.$/, '');
}
