import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import type { ChangeMark } from './change-mark.js';
import { describeActivity, type LiveGraph } from './live-graph.js';
import type { OnSelect } from './part.js';
import { nameOfPart, partOfName, type Selection, structureOf } from './structure.js';

/** A topology as a list: each node with the edges from it, and what they lead to. */
export function GraphList({
  drawing,
  selection,
  onSelect,
  marks,
  live,
}: {
  readonly drawing: Drawing;
  readonly selection: Selection | undefined;
  readonly onSelect: OnSelect;
  readonly marks?: ReadonlyMap<string, ChangeMark>;
  readonly live?: LiveGraph;
}) {
  const structure = structureOf(drawing);
  const selected = selection && nameOfPart(selection);
  const part = (name: string, text: string, kind: string) => (
    <button
      type="button"
      class={`part ${kind}`}
      aria-pressed={name === selected}
      onClick={() => onSelect(partOfName(name))}
    >
      <bdi>{text}</bdi>
      {marks?.has(name) ? (
        <span class={`change ${marks.get(name)?.level}`}> {marks.get(name)?.title}</span>
      ) : null}
    </button>
  );
  return (
    <ul class="graph-list" aria-label="Topology">
      {[...structure.boxes].map(([name, { text, kind }]) => {
        const edges = drawing.lines.filter(
          (line) => line.hasHead && structure.ends.get(line)?.sources.includes(name),
        );
        return (
          <li key={name}>
            {part(name, partId(name), 'node')} <small>{text[1] ?? kind}</small>
            {edges.length === 0 ? null : (
              <ul>
                {edges.map((line, index) => (
                  <li key={index}>
                    {line.coordinate === undefined ? (
                      <span>{line.text.join(' ')}</span>
                    ) : (
                      part(line.coordinate, line.text.join(' '), line.becomes)
                    )}{' '}
                    →{' '}
                    {structure.ends.get(line)?.targets.map((target) => (
                      <span key={target}>{part(target, partId(target), 'node')}</span>
                    ))}
                    {live === undefined || line.coordinate === undefined ? null : (
                      <Numbers live={live} coordinate={line.coordinate} />
                    )}
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function partId(name: string): string {
  return name.slice(1, -1);
}

function Numbers({ live, coordinate }: { readonly live: LiveGraph; readonly coordinate: string }) {
  const numbers = describeActivity(live.edge(coordinate).value).join(' · ');
  return numbers === '' ? null : <small class="numbers"> {numbers}</small>;
}
