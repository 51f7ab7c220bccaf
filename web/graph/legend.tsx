import type { DiagramBox, LineKind } from '../../src/analysis/diagram/diagram.js';
import { boxShape, headLength, lineHead, lineStroke } from '../../src/analysis/diagram/shapes.js';

/** What the shapes and lines of the graph mean. */
export function Legend() {
  return (
    <details class="legend">
      <summary>Legend</summary>
      <ul>
        {edges.map(([becomes, text]) => {
          const line = { becomes, path: `M2,7C2,7,2,7 ${44 - headLength({ becomes })},7`, isFocus: false };
          return (
            <li key={becomes}>
              <svg width="48" height="14" aria-hidden="true">
                <g class={`line ${becomes}`}>
                  <path {...lineStroke(line)} />
                  <path {...lineHead({ ...line, tip: { x: 44, y: 7 } })} />
                </g>
              </svg>
              {text}
            </li>
          );
        })}
        {nodes.map(([kind, text]) => (
          <li key={kind}>
            <svg width="48" height="18" aria-hidden="true">
              <g class={`box ${kind}`}>
                <path {...boxShape({ kind, x: 24, y: 9, width: 36, height: 16 })} />
              </g>
            </svg>
            {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

const edges: readonly (readonly [LineKind, string])[] = [
  ['query', 'PROCESS: a query'],
  ['mutation', 'FOLD: a mutation'],
  ['subscription', 'FORK: a subscription'],
  ['union', 'RACE: a union'],
  ['nothing', 'another edge type'],
];

const nodes: readonly (readonly [DiagramBox['kind'], string])[] = [
  ['object', 'an object type'],
  ['enum', 'an enum'],
  ['scalar', 'a scalar'],
  ['input', 'an input type'],
  ['interface', 'an interface'],
  ['problem', 'a declared error'],
];
