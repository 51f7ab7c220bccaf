import { appendTo } from '../../compiler/graph/maps.js';
import type { Loss } from './draft/draft.js';
import type { ImportedTopology } from './import-description.js';

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

export function reportJson({ format, operations, types, losses }: ImportedTopology, name: string, proof?: Proof) {
  return `${JSON.stringify({ source: name, format, operations, types, losses, proof }, null, 2)}\n`;
}

/** How many examples of a description the imported API accepts, and each that it refuses. */
export interface Proof {
  readonly examples: number;
  readonly refused: readonly { readonly place: string; readonly subject: string; readonly reason: string }[];
}

/** The share of the examples of a description that the imported API accepts, and each that it refuses. */
export function proofText({ examples, refused }: Proof): string {
  const accepted = examples - refused.length;
  const share = Math.floor((accepted / examples) * 100);
  const lines = refused.map(({ place, subject, reason }) => `  ${place}  ${subject}: ${reason}\n`);
  return printable(
    `\nThe imported API accepts ${accepted} of ${counted(examples, 'example')} of the description (${share} %).\n${lines.join('')}`,
  );
}

function counted(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

/** Names come from the description, which may contain commands for terminals. */
function printable(text: string): string {
  return text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, '\ufffd');
}
