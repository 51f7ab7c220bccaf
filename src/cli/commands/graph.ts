import { basename, dirname, extname, resolve } from 'node:path';
import { Option } from 'commander';
import type { Analysis } from '../../analyze.js';
import type { Diagram } from '../../diagram/diagram.js';
import { type CliCommand, type CliOptions, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

The ending of the file that -o names chooses the format: .mmd, .dot or .gv, .svg.

Examples:
  $ gg-svc graph service.gg                        a Mermaid flowchart, for Markdown
  $ gg-svc graph service.gg -o service.svg         a picture
  $ gg-svc graph service.gg --operation readUser   what is around one operation
  $ gg-svc graph service.gg --format dot | dot -Tpdf > service.pdf`;

/** `gg-svc graph`: draws a topology, or what is around one operation of it. */
export const graphCommand: CliCommand = {
  usage: 'graph <files...>',
  summary: 'draw a topology: Mermaid, DOT or SVG',
  define: (command) => {
    command
      .option('--operation <name>', 'draw only what is around an operation or a union')
      .option('--types', 'draw nodes that no edge touches too, and fields that refer to nodes')
      .addOption(
        new Option(
          '-f, --format <format>',
          'how to draw; mermaid unless the name of the file says more',
        ).choices(formats),
      )
      .option('-o, --out <file>', 'where to write; standard output unless given')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const out = readText(options, 'out');
    const format = chooseFormat(options, out);
    const { readTopology } = await import('../files/read-topology.js');
    const { hasErrors } = await import('../../diagnostics/diagnostic.js');
    const { reportFindings } = await import('../terminal/report-findings.js');

    const analysis = await readTopology(operands, io);
    const errors = analysis.diagnostics.filter(({ severity }) => severity === 'error');
    reportFindings(errors, analysis.sources, io);
    if (hasErrors(errors)) return exitCodes.findings;

    const diagram = await findDiagram(analysis, options);
    const text = await print(diagram, format, analysis);
    if (format === 'mermaid' && diagram.lines.length > mermaidLines) {
      const hint = 'its setting maxEdges raises that, and --operation draws less';
      io.stderr(`${diagram.lines.length} lines, where Mermaid draws ${mermaidLines}: ${hint}.\n`);
    }
    if (out !== undefined) return write(out, text, diagram, io);
    io.stdout(text);
    return exitCodes.fine;
  },
};

const formats = ['mermaid', 'dot', 'svg'] as const;
type Format = (typeof formats)[number];

/** Above this many lines or boxes Graphviz takes minutes, however hasty. */
const maxLines = 1000;
const maxBoxes = 2000;

/** What Mermaid draws unless it is set up otherwise. */
const mermaidLines = 500;

function chooseFormat({ format }: CliOptions, out: string | undefined): Format {
  const given = formats.find((candidate) => candidate === format);
  if (given !== undefined) return given;
  const ending = extname(out ?? '').toLowerCase();
  if (ending === '.svg') return 'svg';
  return ending === '.dot' || ending === '.gv' ? 'dot' : 'mermaid';
}

async function findDiagram({ ast, schema }: Analysis, options: CliOptions): Promise<Diagram> {
  const operation = readText(options, 'operation');
  const types = options.types === true;
  if (types && operation !== undefined) {
    throw new UsageError(
      '--types draws the whole topology; what is around an operation has its types anyway.',
    );
  }
  const { lowerGraph } = await import('../../graph/lower/lower.js');
  const { createDiagram, diagramNames } = await import('../../diagram/diagram.js');
  const diagram = createDiagram(
    lowerGraph(ast).value,
    schema,
    operation === undefined ? { types } : { operation },
  );
  if (diagram !== undefined) return diagram;
  const { createSuggester } = await import('../../graph/suggest.js');
  const suggestion = createSuggester(diagramNames(schema)).nearest(operation ?? '');
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  throw new UsageError(`The topology has no operation ${operation}.${advice}`);
}

async function print(diagram: Diagram, format: Format, { schema }: Analysis): Promise<string> {
  if (format === 'mermaid') {
    const { diagramToMermaid } = await import('../../diagram/mermaid.js');
    return diagramToMermaid(diagram);
  }
  const { diagramToDot } = await import('../../diagram/dot.js');
  const dot = diagramToDot(diagram, schema.sources);
  if (format === 'dot') return dot;
  const many = diagram.lines.length;
  if (many > maxLines || diagram.boxes.length > maxBoxes) {
    throw new UsageError(
      `A picture of ${diagram.boxes.length} boxes and ${many} lines cannot be laid out in useful time; the limits are ${maxBoxes} and ${maxLines}. Draw what is around an operation (--operation), or take --format dot and a layout of your own.`,
    );
  }
  const { instance } = await import('@viz-js/viz');
  const viz = await instance();
  return viz.renderString(dot, { format: 'svg', graphAttributes: effortFor(many) });
}

/** A large picture is laid out with less care, or it would take minutes. */
function effortFor(lines: number): Readonly<Record<string, string | number>> {
  const hasty = { nslimit: 2, nslimit1: 2, mclimit: 0.2 };
  if (lines <= 200) return {};
  return lines <= 400 ? hasty : { ...hasty, splines: 'line' };
}

async function write(out: string, text: string, diagram: Diagram, io: CliIo): Promise<number> {
  const { writeArtifacts } = await import('../files/write-files.js');
  const { count } = await import('../terminal/count.js');
  const folder = dirname(out);
  const outcome = await writeArtifacts(resolve(io.directory, folder), folder, { [basename(out)]: text });
  if (!outcome.ok) {
    const { reportFindings } = await import('../terminal/report-findings.js');
    reportFindings([outcome.diagnostic], [], io);
    return exitCodes.findings;
  }
  const { boxes, lines, leftOut } = diagram;
  const nodes = count(boxes.filter(({ kind }) => kind !== 'meeting').length, 'node');
  const verb = outcome.written.length > 0 ? 'wrote' : 'unchanged:';
  const rest = leftOut === 0 ? '' : ` (${count(leftOut, 'other node')} left out)`;
  io.stdout(`${verb} ${out}: ${nodes}, ${count(lines.length, 'line')}${rest}\n`);
  return exitCodes.fine;
}
