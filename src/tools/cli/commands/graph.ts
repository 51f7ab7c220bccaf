import { extname } from 'node:path';
import { createDiagram, type Diagram, diagramNames } from '../../../analysis/diagram/diagram.js';
import { diagramToDot } from '../../../analysis/diagram/dot.js';
import { drawDiagram, sizeProblem } from '../../../analysis/diagram/layout.js';
import { diagramToMermaid } from '../../../analysis/diagram/mermaid.js';
import { printSvg, type Theme } from '../../../analysis/diagram/svg.js';
import { describePlace } from '../../../base/source/span.js';
import type { Analysis } from '../../../compiler/analyze.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import { loadPeer, PeerMissingError } from '../../../runtime/load/load-peer.js';
import { readTopology } from '../files/read-topology.js';
import { replaceFile } from '../files/write-files.js';
import { type CliCommand, type CliOptions, CommandFailure, choice, UsageError } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { failure } from '../terminal/failure.js';
import { exitCodes } from '../terminal/io.js';
import { readNumber, readText } from '../terminal/option-values.js';

const formatHelp = 'output format (default: by extension; mermaid for text)';
const formats = ['mermaid', 'dot', 'svg', 'png'] as const;
type Format = (typeof formats)[number];
const themeHelp = 'colours of an SVG or PNG (default: auto, the theme of the reader; light for a PNG)';
const themes = ['auto', 'light', 'dark'] as const;

export const command: CliCommand = {
  doing: 'Drawing',
  project: 'files',
  options: {
    '--operation <name>': 'draw only the neighbourhood of an operation or a union',
    '--types': 'draw nodes without edges too, and fields that refer to nodes',
    '-f, --format <format>': choice(formatHelp, formats, false),
    '--theme <theme>': choice(themeHelp, themes, false),
    '--width <pixels>': 'width of a PNG (default: the width of the SVG)',
    '-o, --out <file>': 'output file (default: standard output)',
  },
  async run(operands, options, io) {
    const out = readText(options, 'out');
    const format = chooseFormat(options, out);
    const width = readWidth(options, format);
    const theme = readTheme(options, format);
    if (format === 'png' && out === undefined) throw new UsageError('A PNG needs an output file: pass --out.');
    const analysis = await readTopology(operands, io, options);
    const errors = analysis.diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new CommandFailure(errors, analysis.sources);

    const diagram = createDiagramOf(analysis, options);
    const text = await print(diagram, format, theme, analysis);
    if (format === 'mermaid' && diagram.lines.length > mermaidLines) {
      const hint = 'raise its maxEdges setting, or pass --operation';
      io.stderr(`warning: ${diagram.lines.length} lines, but Mermaid draws at most ${mermaidLines}: ${hint}.\n`);
    }
    if (out === undefined) {
      io.stdout(text);
      return exitCodes.fine;
    }
    const content = format === 'png' ? await toPng(text, width, out) : text;
    const verb = (await replaceFile(out, content, io)) ? 'wrote' : 'unchanged:';
    const { boxes, lines, leftOut } = diagram;
    const nodes = count(boxes.filter(({ kind }) => kind !== 'meeting').length, 'node');
    const rest = leftOut === 0 ? '' : ` (${count(leftOut, 'other node')} left out)`;
    io.stdout(`${verb} ${out}: ${nodes}, ${count(lines.length, 'line')}${rest}\n`);
    return exitCodes.fine;
  },
};

/** The default of Mermaid's `maxEdges`. */
const mermaidLines = 500;

function chooseFormat({ format }: CliOptions, out: string | undefined): Format {
  const given = formats.find((candidate) => candidate === format);
  if (given !== undefined) return given;
  const extension = extname(out ?? '').toLowerCase();
  const found = formats.find((candidate) => extensions[candidate].includes(extension));
  if (found !== undefined) return found;
  throw new UsageError(
    `Cannot write ${extension} files. Use .mmd, .dot, .gv, .svg or .png, choose the content with --format, or let Graphviz convert it: --format dot | dot -T${extension.slice(1)}.`,
  );
}

/** The extensions of the files of each format. Standard output has none. */
const extensions: Readonly<Record<Format, readonly string[]>> = {
  mermaid: ['', '.mmd', '.mermaid', '.md', '.txt'],
  dot: ['.dot', '.gv'],
  svg: ['.svg'],
  png: ['.png'],
};

function readWidth({ width }: CliOptions, format: Format): number | undefined {
  if (width === undefined) return undefined;
  if (format !== 'png') throw new UsageError('--width is for PNG; the other formats have no size in pixels.');
  const pixels = readNumber(width, '--width', 20_000);
  if (pixels < 100) throw new UsageError('--width must be at least 100.');
  return pixels;
}

function readTheme({ theme }: CliOptions, format: Format): Theme {
  if (theme !== undefined && format !== 'svg' && format !== 'png')
    throw new UsageError('--theme is for SVG and PNG; the programs that draw the other formats choose the colours.');
  return themes.find((candidate) => candidate === theme) ?? 'auto';
}

function createDiagramOf({ ir, schema }: Analysis, options: CliOptions): Diagram {
  const operation = readText(options, 'operation');
  const types = options.types === true;
  if (types && operation !== undefined)
    throw new UsageError('--types cannot be combined with --operation, which always draws the types.');
  const diagram = createDiagram(ir, schema, operation === undefined ? { types } : { operation });
  if (diagram !== undefined) return diagram;
  throw new UsageError(
    `The topology has no operation ${operation}.${didYouMean(operation ?? '', diagramNames(schema))}`,
  );
}

async function print(diagram: Diagram, format: Format, theme: Theme, { schema: { sources } }: Analysis) {
  if (format === 'mermaid') return diagramToMermaid(diagram);
  if (format === 'dot') return diagramToDot(diagram, sources);
  const problem = sizeProblem(diagram);
  if (problem !== undefined)
    throw new UsageError(`${problem} Pass --operation to draw a part, or --format dot to use another layout program.`);
  const { instance } = await import('@viz-js/viz');
  const drawing = drawDiagram(diagram, await instance());
  return printSvg(drawing, diagram.title, theme, ({ span }) => describePlace(sources, span));
}

async function toPng(svg: string, width: number | undefined, out: string): Promise<Uint8Array> {
  try {
    const { svgToPng } = await loadPeer(['@resvg/resvg-js'], () => import('../files/svg-to-png.js'));
    return await svgToPng(svg, width);
  } catch (error) {
    if (error instanceof PeerMissingError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw failure('GG5066', { path: out, reason }, out);
  }
}
