import type { Drawing, DrawnBox, DrawnLine, Point } from '../../src/diagram/drawing.js';
import type { Selection } from '../studio/store.js';

/** A topology as a picture, of which a part can be selected. */
export function GraphView({
  drawing,
  selection,
  onSelect,
}: {
  readonly drawing: Drawing;
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
}) {
  const { width, height, boxes, lines } = drawing;
  return (
    <svg class="graph" viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Topology">
      {lines.map((line, index) => (
        <Line
          key={index}
          line={line}
          isSelected={selection?.kind === 'edge' && selection.coordinate === line.coordinate}
          onSelect={onSelect}
        />
      ))}
      {boxes.map((box) => (
        <Box
          key={box.key}
          box={box}
          isSelected={selection?.kind === 'node' && selection.id === box.node}
          onSelect={onSelect}
        />
      ))}
    </svg>
  );
}

interface PartProps {
  readonly isSelected: boolean;
  readonly onSelect: (selection: Selection) => void;
}

function Box({ box, isSelected, onSelect }: PartProps & { readonly box: DrawnBox }) {
  const { node, kind, x, y, width, height, text } = box;
  if (node === undefined) return <circle cx={x} cy={y} r={3} class="meeting" />;
  return (
    <g
      class={`box ${kind}`}
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      onClick={() => onSelect({ kind: 'node', id: node })}
      onKeyDown={({ key }) => key === 'Enter' && onSelect({ kind: 'node', id: node })}
    >
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={6} />
      <Words text={text} x={x} y={y + 4} size={14} />
    </g>
  );
}

/** Lines of text around a point. The accessible name of a button is its text, with spaces between its lines. */
function Words({ text, x, y, size }: Point & { readonly text: readonly string[]; readonly size: number }) {
  return (
    <text>
      {text.map((line, index) => (
        <tspan key={index} x={x} y={y + (index - (text.length - 1) / 2) * size}>
          {index === 0 ? line : ` ${line}`}
        </tspan>
      ))}
    </text>
  );
}

function Line({ line, isSelected, onSelect }: PartProps & { readonly line: DrawnLine }) {
  const { becomes, path, label, text, coordinate } = line;
  const content = (
    <>
      <path d={path} />
      {label === undefined ? null : <Words text={text} x={label.x} y={label.y + 3} size={11} />}
    </>
  );
  if (coordinate === undefined) return <g class={`line ${becomes}`}>{content}</g>;
  return (
    <g
      class={`line ${becomes}`}
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      onClick={() => onSelect({ kind: 'edge', coordinate })}
      onKeyDown={({ key }) => key === 'Enter' && onSelect({ kind: 'edge', coordinate })}
    >
      {content}
    </g>
  );
}
