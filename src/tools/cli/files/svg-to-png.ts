import { Resvg, renderAsync } from '@resvg/resvg-js';

/**
 * Draws an SVG that Graphviz laid out as a PNG, with the fonts of the system.
 *
 * @throws {Error} If it would have too many pixels, or the system has no fonts.
 */
export async function svgToPng(svg: string, width?: number): Promise<Uint8Array> {
  const inFonts = svg.replaceAll(`font-family="${layoutFont}"`, `font-family="${fonts}"`);
  const natural = new Resvg(inFonts, { font: { loadSystemFonts: false } });
  const pixels = (width ?? natural.width) ** 2 * (natural.height / natural.width);
  if (pixels > pixelLimit) {
    throw new Error(
      `it would have ${Math.round(pixels / 1e6)} million pixels, and the limit is ${pixelLimit / 1e6} million`,
    );
  }
  // The layout assumes the widths of Helvetica. A wider font is drawn smaller, so that texts stay in their boxes.
  const scale = Math.min(1, helveticaWidth / measure());
  const fitted = inFonts.replace(
    /font-size="([\d.]+)"/g,
    (_, size) => `font-size="${(Number(size) * scale).toFixed(2)}"`,
  );
  const image = await renderAsync(
    fitted,
    width === undefined ? {} : { fitTo: { mode: 'width', value: width } },
  );
  return image.asPng();
}

/** The pixels that a picture may have. Each takes four bytes while it is drawn. */
const pixelLimit = 64_000_000;

/** The fonts that DOT asks for, and the same with the usual fonts of Linux. */
const layoutFont = 'Helvetica,Arial,sans-serif';
const fonts = 'Helvetica,Arial,Liberation Sans,Nimbus Sans,FreeSans,DejaVu Sans,sans-serif';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
/** The width of the alphabet in Helvetica at a size of 100, from its font metrics. */
const helveticaWidth = 1272.6;

/** The width of the alphabet in the font that the system has, at a size of 100. */
function measure(): number {
  const text = `<text y="100" font-size="100" font-family="${fonts}">${alphabet}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="200">${text}</svg>`;
  const box = new Resvg(svg).getBBox();
  if (box === undefined) throw new Error('the system has no fonts');
  return box.width;
}
