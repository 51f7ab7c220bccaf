import { computed } from '@preact/signals';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js';
import { createSourceFile, lineMapOf, positionAt } from '../../src/source/source-file.js';
import { state } from './store.js';

const findings = computed(() => state.value?.findings ?? []);

/** Whether the text of the topology has errors. */
export const isBroken = computed(() => findings.value.some(({ severity }) => severity === 'error'));

const sources = computed(
  () => new Map((state.value?.sources ?? []).map(({ name, text }) => [name, createSourceFile(name, text)])),
);

/** `2 errors, 1 warning`, or `No findings`. */
export function findingsTitle(): string {
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = findings.value.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`];
  });
  return counts.length === 0 ? 'No findings' : counts.join(', ');
}

/** The findings in the text of the topology, with their places. */
export function Findings() {
  if (findings.value.length === 0) return <p>The topology has neither errors nor warnings.</p>;
  return (
    <ul class="findings">
      {findings.value.map((finding, index) => (
        <Finding key={index} finding={finding} />
      ))}
    </ul>
  );
}

function Finding({ finding: { severity, code, message, hint, span } }: { readonly finding: Diagnostic }) {
  const source = sources.value.get(span.file);
  const position = source && positionAt(lineMapOf(source), span.start);
  const line = position && source.text.split(/\r\n|\r|\n/)[position.line - 1];
  return (
    <li class={severity}>
      <p>
        <strong>
          {severity} {code}
        </strong>{' '}
        {message}{' '}
        <span class="place">
          <bdi>{span.file}</bdi>
          {position === undefined ? '' : `:${position.line}:${position.column}`}
        </span>
      </p>
      {line === undefined ? null : (
        <pre>
          <span class="number">{position?.line}</span> {line}
        </pre>
      )}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </li>
  );
}
