import { type Html, html } from '../../compiler/emit/text/html.js';
import type { Drawing, DrawnBox, DrawnLine } from './drawing.js';
import { palettes } from './palette.js';
import { boxShape, boxWords, lineHead, lineStroke, lineWords, type PathAttributes, type Word } from './shapes.js';

/** The colours of a picture: those of the reader's system, or always the same. */
export type Theme = 'auto' | 'light' | 'dark';

/** Further content of the parts of a picture. */
export interface PartContent {
  /** The address that a part links to; undefined without one. */
  readonly linkOf?: (part: DrawnBox | DrawnLine) => string | undefined;
  readonly titleOf?: (part: DrawnBox | DrawnLine) => string;
}

/** Prints a drawing as an SVG file. */
export function printSvg(drawing: Drawing, title: string, theme: Theme, titleOf?: PartContent['titleOf']): string {
  const { width, height, x, y } = frameOf(drawing);
  const style =
    theme === 'auto'
      ? `${styleOf('light')}@media (prefers-color-scheme: dark) {\n${styleOf('dark')}}\n`
      : styleOf(theme);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="img" font-family="${fonts}" text-anchor="middle">
<title>${title}</title>
<style>
${{ html: style }}</style>
<rect class="page" x="${x}" y="${y}" width="${width}" height="${height}"/>
${printParts(drawing, { ...(titleOf && { titleOf }) })}</svg>
`.html;
}

/** Prints a drawing as an element of a page, which has the style of `web/graph/drawing.css`. */
export function printPicture(drawing: Drawing, label: string, content: PartContent): Html {
  const { width, height, x, y } = frameOf(drawing);
  return html`<svg class="picture" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="group" aria-label="${label}"><g>
${printParts(drawing, content)}</g></svg>`;
}

const fonts = 'Helvetica, Arial, Liberation Sans, Nimbus Sans, FreeSans, DejaVu Sans, sans-serif';

function frameOf({ width, height }: Drawing) {
  const margin = 12;
  return { x: -margin, y: -margin, width: Math.ceil(width) + 2 * margin, height: Math.ceil(height) + 2 * margin };
}

/** Programs that convert SVG often know neither variables of CSS nor selectors other than these. */
function styleOf(theme: 'light' | 'dark'): string {
  const { page, text, quiet, box, ...others } = palettes[theme];
  const { 'box-line': outline, 'box-input': input, 'box-problem': problem, ...lines } = others;
  return [
    `.page { fill: ${page}; }`,
    `text { fill: ${text}; }`,
    `.label { fill: ${quiet}; }`,
    `.shape { fill: ${box}; stroke: ${outline}; }`,
    `.input .shape { fill: ${input}; }`,
    `.problem .shape { fill: ${problem}; }`,
    `.meeting { fill: ${lines.nothing}; }`,
    ...Object.entries(lines).map(([kind, color]) => `.${kind} { color: ${color}; }`),
    `.line text { fill: currentColor; stroke: ${page}; stroke-width: 3px; stroke-linejoin: round; paint-order: stroke; }`,
    '',
  ].join('\n');
}

/** The lines, and above them the boxes. */
function printParts({ boxes, lines }: Drawing, { linkOf, titleOf }: PartContent): readonly Html[] {
  const print = <Part extends DrawnBox | DrawnLine>(part: Part, classes: string, content: Html): Html => {
    const link = linkOf?.(part);
    const title = titleOf === undefined ? '' : html`<title>${titleOf(part)}</title>`;
    const group = html`<g class="${classes}">${title}${content}</g>`;
    return html`${link === undefined ? group : html`<a href="${link}">${group}</a>`}
`;
  };
  return [
    ...lines.map((line) => {
      const head = lineHead(line);
      const content = [printPath(lineStroke(line)), ...(head ? [printPath(head)] : []), ...printWords(lineWords(line))];
      return print(line, `line ${line.becomes}`, html`${content}`);
    }),
    ...boxes.map((box) =>
      box.kind === 'meeting'
        ? print(box, 'box', html`<circle class="meeting" cx="${box.x}" cy="${box.y}" r="3"/>`)
        : print(box, `box ${box.kind}`, html`${[printPath(boxShape(box)), ...printWords(boxWords(box))]}`),
    ),
  ];
}

function printPath(attributes: PathAttributes): Html {
  return html`<path${Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`)}/>`;
}

/** With spaces between the lines: the name of a link is its text. */
function printWords(words: readonly Word[]): readonly Html[] {
  return words.map(
    ({ text, class: kind, size, x, y }) =>
      html`<text class="${kind}" font-size="${size}" x="${x}" y="${y}">${text}</text> `,
  );
}
