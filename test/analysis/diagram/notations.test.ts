import { instance } from '@viz-js/viz';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagram } from '../../../src/analysis/diagram/diagram.js';
import { diagramToDot } from '../../../src/analysis/diagram/dot.js';
import { diagramToMermaid } from '../../../src/analysis/diagram/mermaid.js';
import { diagramOf } from './diagrams.js';

const topology = `(user: Record { id: ID!, status: Status })
(status: Enum { values: [ON, OFF] })
(when: Scalar)
(root)-[:PROCESS]->(user)
(draft | other)-[:FOLD]->(user)
(user)-[:FORK]->(news)
(cached)-[:RACE]->(fast)
(user)-[:MEASURE]->(load)
`;

const span = { file: 'a.gg', start: 0, end: 1 };

/** Two boxes and a line, all with the same text. */
function diagramWith(...text: string[]): Diagram {
  const box = { kind: 'object', text, span } as const;
  const line = { from: 'n0', to: 'n1', becomes: 'query', text, hasHead: true, isFocus: false, span } as const;
  const boxes = [
    { ...box, key: 'n0' },
    { ...box, key: 'n1' },
  ];
  return { title: text.join(' '), boxes, lines: [line], leftOut: 0 };
}

/** Graphviz. It is compiled once: WebAssembly takes longer to start than to draw. */
const graphviz = instance();

/** What nobody can put into a name; but nothing may depend on that. */
const hostile = [
  '"]; n0 --> n9',
  '<script>alert(1)</script>',
  '\\',
  '\\"',
  'a\nb',
  '#quot;',
  '`x`',
  '%%{init}%%',
  '|',
  'end',
];

describe('Mermaid', () => {
  it('draws inputs, interfaces and declared errors with distinct shapes', () => {
    const text = `(named: Interface { name: String! })
      (gone: Problem { status: 410 })
      (draft: Input { name: String! })
      (draft)-[:FOLD { throws: [Gone] }]->(user { implements: [Named], name: String! })`;
    const lines = diagramToMermaid(diagramOf(text, { types: true }).diagram).split('\n');
    expect(lines).toContain('  n0[["named<br/>Interface"]]');
    expect(lines).toContain('  n1>"gone<br/>Problem"]');
    expect(lines).toContain('  n2[/"draft<br/>Input"/]');
  });

  it('draws every kind of node and edge with a distinct shape', () => {
    expect(diagramToMermaid(diagramOf(topology, { types: true }).diagram)).toBe(`flowchart LR
  n0("user<br/>Record")
  n1{{"status<br/>Enum"}}
  n2(["when<br/>Scalar"])
  n3("root")
  n4("draft")
  n5("other")
  n6("news")
  n7("cached")
  n8("fast")
  n9("load")
  m10((" ")):::meeting
  n3 -->|"PROCESS<br/>user"| n0
  n4 === m10
  n5 === m10
  m10 ==>|"FOLD<br/>user"| n0
  n0 --o|"FORK<br/>news"| n6
  n7 --x|"RACE<br/>FastRace"| n8
  n0 -.->|"MEASURE"| n9
  n0 ---|"status"| n1
  linkStyle 0 stroke:#2f6fdb
  linkStyle 1,2,3 stroke:#2e8b57
  linkStyle 4 stroke:#c2691c
  linkStyle 5 stroke:#8e5bc9
  linkStyle 6 stroke:#6f7882
  linkStyle 7 stroke:#8a939c
  classDef meeting fill:#6f7882,stroke:#6f7882
`);
  });

  it('draws the subject with thicker lines', () => {
    const { diagram } = diagramOf(topology, { operation: 'news' });
    expect(diagramToMermaid(diagram)).toContain('stroke:#c2691c,stroke-width:4px\n');
  });

  it.each(hostile)('escapes the characters of %j that are special in Mermaid or HTML', (text) => {
    const [, box, , line] = diagramToMermaid(diagramWith(text)).split('\n');
    expect(box).toMatch(/^ {2}n0\("(?:[\w ·-]|#\d+;)*"\)$/);
    expect(line).toMatch(/^ {2}n0 -->\|"(?:[\w ·-]|#\d+;)*"\| n1$/);
  });

  it('contains every text, with character codes where needed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const [, written = ''] = /n0\("(.*)"\)/.exec(diagramToMermaid(diagramWith(text))) ?? [];
        const read = written.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
        expect(read).toBe(text);
      }),
    );
  });
});

describe('DOT', () => {
  it('draws every kind of node and edge with a distinct shape and its place as tooltip', () => {
    const { diagram, sources } = diagramOf(topology, { types: true });
    const lines = diagramToDot(diagram, sources).split('\n');
    const has = (start: string, ...parts: string[]) => {
      const found = lines.find((line) => line.startsWith(`  ${start}`)) ?? '';
      for (const part of parts) expect(found).toContain(part);
    };
    has('n0 [', 'label="user\\nRecord"', 'tooltip="topology.gg:1:2"');
    has('n1 [', 'peripheries=2');
    has('n2 [', 'shape=ellipse');
    has('m10 [', 'shape=point', 'tooltip="topology.gg:5:1"');
    has('n3 -> n0', 'label="PROCESS\\nuser"', 'color="#2f6fdb"', 'edgetooltip="topology.gg:4:1"');
    has('n4 -> m10', 'penwidth=2.5', 'dir=none');
    has('m10 -> n0', 'label="FOLD\\nuser"', 'penwidth=2.5');
    has('n0 -> n6', 'style=dashed', 'arrowhead=odot');
    has('n7 -> n8', 'arrowhead=diamond');
    has('n0 -> n9', 'style=dotted', 'label="MEASURE"');
    has('n0 -> n1', 'arrowhead=vee', 'label="status"');
  });

  it.each(['object', 'enum', 'scalar', 'input', 'interface', 'problem', 'meeting'] as const)(
    'uses a shape that Graphviz knows for a node of the kind %s',
    async (kind) => {
      const viz = await graphviz;
      const { boxes, ...rest } = diagramWith('a');
      const dot = diagramToDot({ ...rest, boxes: boxes.map((box) => ({ ...box, kind })) }, []);
      expect(() => viz.renderJSON(dot)).not.toThrow();
    },
  );

  it('draws the subject with thicker lines', () => {
    const { diagram, sources } = diagramOf(topology, { operation: 'news' });
    expect(diagramToDot(diagram, sources)).toContain('penwidth=3.5');
  });

  it.each(hostile)('escapes %j so that Graphviz draws it literally', async (text) => {
    const viz = await graphviz;
    const dot = diagramToDot(diagramWith(text), []);
    const json = viz.renderJSON(dot) as { name: string; objects: { name: string }[]; edges: unknown[] };
    expect(json.objects.map(({ name }) => name)).toEqual(['n0', 'n1']);
    expect(json.edges).toHaveLength(1);
    const svg = viz.renderString(dot, { format: 'svg' });
    const drawn = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, content = '']) => unescapeXml(content));
    expect(drawn).toEqual([text, text, text].map((each) => each.replace('\n', ' ')));
  });
});

function unescapeXml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
