import type { LineKind } from '../../src/analysis/diagram/diagram.js';

/** What the shapes and lines of the graph mean. */
export function Legend() {
  return (
    <details class="legend">
      <summary>Legend</summary>
      <ul>
        {edges.map(([kind, text, head]) => (
          <li key={kind}>
            <svg width="48" height="14" aria-hidden="true">
              <g class={`line ${kind}`}>
                <path class="stroke" d="M2,7H34" />
                <path class="head" d={head} />
              </g>
            </svg>
            {text}
          </li>
        ))}
        {nodes.map(([kind, text, outline]) => (
          <li key={kind}>
            <svg width="48" height="18" aria-hidden="true">
              <g class={`box ${kind}`}>
                <path class="shape" d={outline} />
                {kind === 'enum' ? <path class="frame" d="M9,4H39V14H9Z" /> : null}
              </g>
            </svg>
            {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

const arrow = 'M34,3L44,7L34,11Z';

const edges: readonly (readonly [LineKind, string, string])[] = [
  ['query', 'PROCESS: a query', arrow],
  ['mutation', 'FOLD: a mutation', arrow],
  ['subscription', 'FORK: a subscription', 'M34,7A4,4,0,1,1,42,7A4,4,0,1,1,34,7Z'],
  ['union', 'RACE: a union', 'M34,7L39,4L44,7L39,10Z'],
  ['nothing', 'another edge type', arrow],
];

const nodes: readonly (readonly [string, string, string])[] = [
  [
    'object',
    'an object type',
    'M12,1H36A6,6,0,0,1,42,7V11A6,6,0,0,1,36,17H12A6,6,0,0,1,6,11V7A6,6,0,0,1,12,1Z',
  ],
  ['enum', 'an enum', 'M6,1H42V17H6Z'],
  ['scalar', 'a scalar', 'M14,1H34A8,8,0,0,1,34,17H14A8,8,0,0,1,14,1Z'],
  ['input', 'an input type', 'M6,1H35L42,9L35,17H6Z'],
  [
    'interface',
    'an interface',
    'M12,1H36A6,6,0,0,1,42,7V11A6,6,0,0,1,36,17H12A6,6,0,0,1,6,11V7A6,6,0,0,1,12,1Z',
  ],
  ['problem', 'a declared error', 'M12,1H36L42,7V11L36,17H12L6,11V7Z'],
];
