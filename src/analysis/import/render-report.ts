import { appendTo } from '../../compiler/graph/maps.js';
import type { Loss } from './draft/draft.js';
import type { ImportedTopology } from './import-description.js';

/** How many places of one reason a report lists as text. */
const shownPlaces = 10;

/** The numbers of imported parts, and the parts that did not fit, grouped by reason. */
export function reportText({ format, operations, types, losses }: ImportedTopology, name: string): string {
  const head = `${name} (${format}): ${counted(operations, 'operation')}, ${counted(types, 'type')} imported`;
  if (losses.length === 0) return `${head}; everything fits.\n`;
  const groups = new Map<string, Loss[]>();
  for (const loss of losses) appendTo(groups, loss.reason, loss);
  const blocks = [...groups].map(([reason, all]) => {
    const lines = all.slice(0, shownPlaces).map(({ place, subject }) => `  ${place}  ${subject}\n`);
    const rest = all.length - lines.length;
    return `\n${reason}\n${lines.join('')}${rest === 0 ? '' : `  and ${rest} more; --format json lists all\n`}`;
  });
  return printable(
    `${head}; ${counted(losses.length, 'part')} ${losses.length === 1 ? 'does' : 'do'} not fit.\n${blocks.join('')}`,
  );
}

export function reportJson({ format, operations, types, losses }: ImportedTopology, name: string): string {
  return `${JSON.stringify({ source: name, format, operations, types, losses }, null, 2)}\n`;
}

function counted(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

/** Names come from the description, which may contain commands for terminals. */
function printable(text: string): string {
  return text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, '\ufffd');
}
