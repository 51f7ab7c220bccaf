import { Resvg } from '@resvg/resvg-js';
import { instance } from '@viz-js/viz';
import { describe, expect, it } from 'vitest';
import { diagramToDot } from '../../../../src/analysis/diagram/dot.js';
import { svgToPng } from '../../../../src/tools/cli/files/svg-to-png.js';
import { diagramOf } from '../../../analysis/diagram/diagrams.js';

const viz = await instance();

function draw(topology: string): string {
  const { diagram, sources } = diagramOf(topology);
  return viz.renderString(diagramToDot(diagram, sources), { format: 'svg' });
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
    const differs = [0, 1, 2].some(
      (channel) => withText.pixels[at + channel] !== without.pixels[at + channel],
    );
    if (differs) columns.push((at / 4) % withText.width);
  }
  return { left: Math.min(...columns), right: Math.max(...columns), many: columns.length };
}

describe('a PNG', () => {
  const service = draw('(root)-[:PROCESS]->(read_user: User { id: ID! })\n');

  it.each(['read_user', 'root', 'PROCESS', 'readUser'])('shows the text %s', async (text) => {
    const { many } = await inkOfTexts(service, new RegExp(`<text[^>]*>${text}</text>`));
    expect(many).toBeGreaterThan(50);
  });

  it.each(['abcdefghijklmnopqrstuvwxyz', 'wwwwwwwwwwwwwwwwwwwwwwwwww', 'a_very_long_name_of_a_node'])(
    'keeps the text %s in its box',
    async (name) => {
      const svg = draw(`(a)-[:PROCESS]->(${name})\n`);
      const node = svg.split('<g id="node').find((part) => part.includes(`>${name}</text>`)) ?? '';
      const xs = [...node.matchAll(/(-?[\d.]+),-?[\d.]+/g)].map(([, x]) => Number(x));
      const { left, right } = await inkOfTexts(svg, new RegExp(`<text[^>]*>${name}</text>`));
      // The picture has a margin of 4 points, and a point is 4/3 pixels.
      expect(left).toBeGreaterThanOrEqual(((Math.min(...xs) + 4) * 4) / 3 - 1);
      expect(right).toBeLessThanOrEqual(((Math.max(...xs) + 4) * 4) / 3 + 1);
    },
  );

  it.each([100, 300, 1600])('has a width of %i pixels and the proportions of the SVG', async (width) => {
    const { width: natural, height } = readPng(await svgToPng(service));
    const scaled = readPng(await svgToPng(service, width));
    expect(scaled.width).toBe(width);
    expect(Math.abs(scaled.height - (height * width) / natural)).toBeLessThanOrEqual(1 + width / natural);
  });

  it('has a white background', async () => {
    expect([...readPng(await svgToPng(service)).pixels.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  });

  it('is rejected above 64 million pixels', async () => {
    const tall = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10000"/>';
    await expect(svgToPng(tall, 1000)).rejects.toThrow(
      'it would have 1000 million pixels, and the limit is 64 million',
    );
  });
});
