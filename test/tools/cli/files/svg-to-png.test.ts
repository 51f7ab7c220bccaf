import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { printSvg } from '../../../../src/analysis/diagram/svg.js';
import { svgToPng } from '../../../../src/tools/cli/files/svg-to-png.js';
import { drawingOf } from '../../../analysis/diagram/diagrams.js';

async function draw(topology: string, theme: 'light' | 'dark' = 'light'): Promise<string> {
  return printSvg(await drawingOf(topology), 'topology', theme);
}

/** The pixels of a PNG, as resvg decodes them. */
function readPng(png: Uint8Array): {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
} {
  const [width, height] = [16, 20].map((at) => new DataView(png.buffer, png.byteOffset).getUint32(at));
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const image = `<image width="${width}" height="${height}" href="${href}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`;
  return { width: width ?? 0, height: height ?? 0, pixels: new Resvg(svg).render().pixels };
}

/** The columns and rows at which a text changes the picture. */
async function inkOfTexts(svg: string, text: RegExp): Promise<{ left: number; right: number; many: number }> {
  const [drawn, bare] = await Promise.all([svg, svg.replace(text, '')].map((each) => svgToPng(each)));
  if (drawn === undefined || bare === undefined) throw new Error('not drawn');
  const [withText, without] = [readPng(drawn), readPng(bare)];
  const columns: number[] = [];
  for (let at = 0; at < withText.pixels.length; at += 4) {
    const differs = [0, 1, 2].some((channel) => withText.pixels[at + channel] !== without.pixels[at + channel]);
    if (differs) columns.push((at / 4) % withText.width);
  }
  return { left: Math.min(...columns), right: Math.max(...columns), many: columns.length };
}

const topology = '(root)-[:PROCESS]->(read_user: User { id: ID! })\n';
const service = await draw(topology);

describe('a PNG', () => {
  it.each(['read_user', 'root', 'PROCESS', 'readUser'])('shows the text %s', async (text) => {
    const { many } = await inkOfTexts(service, new RegExp(`<text[^>]*>${text}</text>`));
    expect(many).toBeGreaterThan(50);
  });

  it.each(['abcdefghijklmnopqrstuvwxyz', 'wwwwwwwwwwwwwwwwwwwwwwwwww', 'a_very_long_name_of_a_node'])(
    'keeps the text %s in its box',
    async (name) => {
      const { boxes } = await drawingOf(`(a)-[:PROCESS]->(${name})\n`);
      const { x = 0, width = 0 } = boxes.find(({ node }) => node === name) ?? {};
      const svg = await draw(`(a)-[:PROCESS]->(${name})\n`);
      const { left, right } = await inkOfTexts(svg, new RegExp(`<text[^>]* font-size="12"[^>]*>${name}</text>`));
      // The picture has a margin of 12 points.
      expect(left - 12).toBeGreaterThan(x - width / 2);
      expect(right - 12).toBeLessThan(x + width / 2);
    },
  );

  it.each([100, 300, 1600])('has a width of %i pixels and the proportions of the SVG', async (width) => {
    const { width: natural, height } = readPng(await svgToPng(service));
    const scaled = readPng(await svgToPng(service, width));
    expect(scaled.width).toBe(width);
    expect(Math.abs(scaled.height - (height * width) / natural)).toBeLessThanOrEqual(1 + width / natural);
  });

  it('has the colours of its theme', async () => {
    const cornerOf = async (svg: string) => [...readPng(await svgToPng(svg)).pixels.subarray(0, 4)];
    expect(await cornerOf(service)).toEqual([0xfb, 0xfc, 0xfd, 255]);
    expect(await cornerOf(await draw(topology, 'dark'))).toEqual([0x12, 0x16, 0x1b, 255]);
    const both = printSvg(await drawingOf(topology), 'topology', 'auto');
    expect(await svgToPng(both)).toEqual(await svgToPng(service));
  });

  it('is rejected above 64 million pixels', async () => {
    const tall = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10000"/>';
    await expect(svgToPng(tall, 1000)).rejects.toThrow(
      'it would have 1000 million pixels, and the limit is 64 million',
    );
  });
});
