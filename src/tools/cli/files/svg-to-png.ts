import { Resvg, renderAsync } from '@resvg/resvg-js';

/**
 * Draws an SVG as a PNG, with the fonts of the system.
 *
 * @throws {Error} If it is too large, or the system lacks fonts.
 */
export async function svgToPng(svg: string, width?: number): Promise<Uint8Array> {
  const natural = new Resvg(svg, { font: { loadSystemFonts: false } });
  const pixels = (width ?? natural.width) ** 2 * (natural.height / natural.width);
  if (pixels > pixelLimit)
    throw new Error(
      `it would have ${Math.round(pixels / 1e6)} million pixels, and the limit is ${pixelLimit / 1e6} million`,
    );
  const text = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">x</text></svg>';
  if (new Resvg(text).getBBox() === undefined) throw new Error('the system has no fonts');
  const image = await renderAsync(svg, width === undefined ? {} : { fitTo: { mode: 'width', value: width } });
  return image.asPng();
}

/** The pixels that a picture may have. Each takes four bytes while it is drawn. */
const pixelLimit = 64_000_000;
