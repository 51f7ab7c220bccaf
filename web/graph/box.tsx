import { useMemo } from 'preact/hooks';
import type { DrawnBox } from '../../src/analysis/diagram/drawing.js';
import type { ChangeMark } from './change-mark.js';
import type { LiveGraph } from './live-graph.js';
import { MarkBadge } from './mark-badge.js';
import type { PartProps } from './part.js';
import { Words } from './words.js';

/** A node, in the shape of its kind, or a group of nodes. */
export function Box({
  box,
  node,
  mark,
  live,
  part,
}: {
  readonly box: DrawnBox;
  /** The id of the node; empty for a group. */
  readonly node: string;
  readonly mark: ChangeMark | undefined;
  readonly live: LiveGraph | undefined;
  readonly part: PartProps;
}) {
  const { kind, x, y, width, height, text } = box;
  const channel = live?.channel(node).value;
  const state = channel && `${channelSigns[channel.state]} ${channel.state}`;
  const name = [...text, state, text.includes(node) ? '' : node, mark?.title];
  // Its own element, so that selecting another part compares this one with itself.
  const content = useMemo(
    () => (
      <>
        {mark === undefined ? null : (
          <path class={`glow ${mark.level}`} d={shapeOf(kind, x, y, width + 8, height + 8)} />
        )}
        {kind === 'group' ? <path class="shape" d={shapeOf(kind, x + 4, y - 4, width, height)} /> : null}
        <path class="shape" d={shapeOf(kind, x, y, width, height)} />
        {kind === 'enum' ? <path class="frame" d={shapeOf(kind, x, y, width - 6, height - 6)} /> : null}
        <Words
          lines={text.map((line, index) => ({ text: line, class: index === 0 ? 'name' : 'label' }))}
          x={x}
          y={y + 4}
          size={14}
          width={width - 12}
        />
        {channel === undefined ? null : (
          <g class={`channel ${channel.state}`}>
            <circle cx={x + width / 2 - 2} cy={y - height / 2 + 2} r={4} />
            <text x={x} y={y + height / 2 + 11}>
              {state}
            </text>
            <title>{channel.failure ?? `The channel is ${channel.state}.`}</title>
          </g>
        )}
        {mark === undefined ? null : <MarkBadge mark={mark} x={x - width / 2} y={y - height / 2} />}
      </>
    ),
    [box, mark, channel],
  );
  return (
    <g {...part} class={`box ${kind} ${part.class}`} aria-label={name.filter(Boolean).join(' ')}>
      {content}
    </g>
  );
}

const channelSigns = { idle: '○', open: '●', failing: '◐' } as const;

/** The outline of a box around a point. The shapes are those of `gg-svc graph`. */
function shapeOf(kind: DrawnBox['kind'], x: number, y: number, width: number, height: number): string {
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  const corner = Math.min(8, height / 2);
  switch (kind) {
    case 'scalar':
      return rounded(left, top, right, bottom, height / 2);
    case 'input':
      return `M${left},${top}H${right - corner}L${right},${y}L${right - corner},${bottom}H${left}Z`;
    case 'problem':
      return `M${left + corner},${top}H${right - corner}L${right},${top + corner}V${bottom - corner}L${right - corner},${bottom}H${left + corner}L${left},${bottom - corner}V${top + corner}Z`;
    case 'enum':
    case 'group':
      return `M${left},${top}H${right}V${bottom}H${left}Z`;
    default:
      return rounded(left, top, right, bottom, corner);
  }
}

function rounded(left: number, top: number, right: number, bottom: number, radius: number): string {
  const arc = (x: number, y: number) => `A${radius},${radius},0,0,1,${x},${y}`;
  return [
    `M${left + radius},${top}H${right - radius}${arc(right, top + radius)}`,
    `V${bottom - radius}${arc(right - radius, bottom)}`,
    `H${left + radius}${arc(left, bottom - radius)}V${top + radius}${arc(left + radius, top)}Z`,
  ].join('');
}
