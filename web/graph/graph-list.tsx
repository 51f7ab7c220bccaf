import type { GraphProps } from './graph-view.js';
import { describeActivity, type LiveGraph } from './live-graph.js';
import { nameOfPart, partOfName, structureOf, titleOfBox } from './structure.js';

/** A topology as a list: each node with the edges from it, and what they lead to. */
export function GraphList({
  drawing,
  selection,
  onSelect,
  onOpen,
  marks,
  live,
}: Omit<GraphProps, 'isFocused' | 'children'>) {
  const structure = structureOf(drawing);
  const selected = selection && nameOfPart(selection);
  const part = (name: string, text: string, kind: string) => (
    <button
      type="button"
      class={`part ${kind}`}
      {...(structure.boxes.get(name)?.group === undefined
        ? { 'aria-pressed': name === selected, onClick: () => onSelect(partOfName(name)) }
        : { 'aria-expanded': false, onClick: () => onOpen?.(name) })}
    >
      <bdi>{text}</bdi>
      {marks?.has(name) ? <span class={`change ${marks.get(name)?.level}`}> {marks.get(name)?.title}</span> : null}
    </button>
  );
  return (
    <ul class="graph-list" aria-label="Topology">
      {[...structure.boxes].map(([name, { text, kind, group }]) => {
        const edges = drawing.lines.filter((line) => line.hasHead && structure.ends.get(line)?.sources.includes(name));
        return (
          <li key={name}>
            {part(name, titleOfBox(structure, name), 'node')}{' '}
            {group === undefined ? <small>{text[1] ?? kind}</small> : null}
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
                      <span key={target}>{part(target, titleOfBox(structure, target), 'node')}</span>
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

function Numbers({ live, coordinate }: { readonly live: LiveGraph; readonly coordinate: string }) {
  const numbers = describeActivity(live.edge(coordinate).value).join(' · ');
  return numbers === '' ? null : <small class="numbers"> {numbers}</small>;
}
