import { computed } from '@preact/signals';
import { severityWords } from '../../src/base/diagnostics/render/report.js';
import { createSourceFile, lineMapOf, positionAt } from '../../src/base/source/source-file.js';
import { count } from '../graph/live-graph.js';
import { Finding } from './panels/source-tab.js';
import { state } from './store.js';

const findings = computed(() => state.value?.findings ?? []);

/** Whether the text of the topology has errors. */
export const isBroken = computed(() => findings.value.some(({ severity }) => severity === 'error'));

const sources = computed(
  () => new Map((state.value?.sources ?? []).map(({ name, text }) => [name, createSourceFile(name, text)])),
);

/** `2 errors, 1 warning, 1 note`, or `No findings`. */
export function findingsTitle(): string {
  const counts = (['error', 'warning', 'information'] as const).flatMap((severity) => {
    const { length } = findings.value.filter((finding) => finding.severity === severity);
    return length === 0 ? [] : [count(length, severityWords[severity])];
  });
  return counts.length === 0 ? 'No findings' : counts.join(', ');
}

/** The findings in the text of the topology, with their places and fixes. */
export function Findings() {
  const shown = state.value;
  if (shown === undefined || findings.value.length === 0) return <p>The topology has no findings.</p>;
  return (
    <ul class="findings">
      {findings.value.map(({ severity, span }, index) => {
        const source = sources.value.get(span.file);
        const map = source && lineMapOf(source);
        const position = map && positionAt(map, span.start);
        const { lineStarts = [] } = map ?? {};
        const line = position && source?.text.slice(lineStarts[position.line - 1], lineStarts[position.line]);
        return (
          <li key={index} class={severity}>
            <p class="place">
              <bdi>{span.file}</bdi>
              {position === undefined ? '' : `:${position.line}:${position.column}`}
            </p>
            {line === undefined ? null : <pre>{line.trimEnd()}</pre>}
            <Finding state={shown} index={index} />
          </li>
        );
      })}
    </ul>
  );
}
