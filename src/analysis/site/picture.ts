import { type Html, html } from '../../compiler/emit/text/html.js';
import type { Drawing, DrawnBox, DrawnLine, Point } from '../diagram/drawing.js';
import type { PictureLinks } from './page.js';

/** Prints a drawing as SVG inside a page, whose boxes and lines link to their pages. */
export function printPicture(drawing: Drawing, label: string, links: PictureLinks, toRoot: string): Html {
  const { width, height, boxes, lines } = drawing;
  return html`<section class="scroll" tabindex="0" aria-label="${label}"><svg class="picture" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="${label}">
${lines.map((line) => linked(printLine(line), links.lines.get(line.coordinate ?? ''), toRoot))}${boxes.map((box) => linked(printBox(box), links.nodes.get(box.node ?? ''), toRoot))}</svg></section>
`;
}

function linked(part: Html, page: string | undefined, toRoot: string): Html {
  return page === undefined ? part : html`<a href="${toRoot}${page}.html">${part}</a>`;
}

function printBox({ kind, x, y, width, height, text }: DrawnBox): Html {
  if (kind === 'meeting')
    return html`<circle class="meeting" cx="${x}" cy="${y}" r="3"/>
`;
  return html`<g class="box ${kind}"><rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="6"/>${words(text, { x, y: y + 4 }, 14)}</g>
`;
}

function printLine({ becomes, path, tip, label, text }: DrawnLine): Html {
  const head = tip === undefined ? html`` : html`<path class="tip" d="${headOf(path, tip)}"/>`;
  const shown = label === undefined ? html`` : words(text, { x: label.x, y: label.y + 3 }, 11);
  return html`<g class="line ${becomes}"><path d="${path}"/>${head}${shown}</g>
`;
}

/** A triangle from the end of a path to the tip. */
function headOf(path: string, tip: Point): string {
  const [, x, y] = /([-\d.]+),([-\d.]+)$/.exec(path) ?? [];
  const base = { x: Number(x), y: Number(y) };
  const [across, along] = [(tip.y - base.y) / 2.6, (tip.x - base.x) / 2.6];
  const at = (px: number, py: number) => `${px.toFixed(1)},${py.toFixed(1)}`;
  return `M${at(tip.x, tip.y)}L${at(base.x - across, base.y + along)}L${at(base.x + across, base.y - along)}Z`;
}

/** Lines of text around a point. The name of a link is its text, with a space between the lines. */
function words(text: readonly string[], { x, y }: Point, size: number): Html {
  const first = y - ((text.length - 1) / 2) * size;
  return html`<text>${text.map((line, at) => html`${at === 0 ? '' : ' '}<tspan x="${x}" y="${first + at * size}">${line}</tspan>`)}</text>`;
}
