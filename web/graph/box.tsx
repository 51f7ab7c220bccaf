import { useMemo } from 'preact/hooks';
import type { DrawnBox } from '../../src/analysis/diagram/drawing.js';
import { boxShape, boxWords } from '../../src/analysis/diagram/shapes.js';
import type { ChangeMark } from './change-mark.js';
import type { LiveGraph } from './live-graph.js';
import { MarkBadge, type PartProps, Words } from './part.js';

interface BoxProps {
  readonly box: DrawnBox;
  /** The id of the node; empty for a group. */
  readonly node: string;
  readonly mark: ChangeMark | undefined;
  readonly live: LiveGraph | undefined;
  readonly part: PartProps;
}

/** A node, in the shape of its kind, or a group of nodes. */
export function Box({ box, node, mark, live, part }: BoxProps) {
  const { kind, x, y, width, height, text } = box;
  const channel = live?.channel(node).value;
  const state = channel && `${channelSigns[channel.state]} ${channel.state}`;
  const name = [...text, state, text.includes(node) ? '' : node, mark?.title];
  // Its own element, so that selecting another part compares this one with itself.
  const content = useMemo(
    () => (
      <>
        {mark === undefined ? null : (
          <path class={`glow ${mark.level}`} d={boxShape({ ...box, width: width + 8, height: height + 8 }).d} />
        )}
        <path {...boxShape(box)} />
        <Words words={boxWords(box)} />
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
