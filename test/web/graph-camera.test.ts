import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstView, fitTo, pan, reveal, zoomAt } from '../../web/graph/camera.js';

const sizes = fc.record({
  width: fc.integer({ min: 1, max: 20_000 }),
  height: fc.integer({ min: 1, max: 20_000 }),
});
const views = fc.record({
  width: fc.integer({ min: 120, max: 3000 }),
  height: fc.integer({ min: 120, max: 2000 }),
});
const points = fc.record({ x: fc.integer({ min: 0, max: 120 }), y: fc.integer({ min: 0, max: 120 }) });

test('shows a drawing of any size as a whole', () => {
  fc.assert(
    fc.property(sizes, views, (drawing, view) => {
      const { x, y, scale } = fitTo({ x: 0, y: 0, ...drawing }, view);
      if (scale === 0.01) return;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(-0.001);
      expect(x + drawing.width * scale).toBeLessThanOrEqual(view.width);
      expect(y + drawing.height * scale).toBeLessThanOrEqual(view.height);
    }),
  );
});

test('keeps the point under the pointer in place when zooming', () => {
  fc.assert(
    fc.property(sizes, views, points, fc.double({ min: 0.2, max: 5, noNaN: true }), (drawing, view, at, factor) => {
      const before = fitTo({ x: 0, y: 0, ...drawing }, view);
      const after = zoomAt(before, at, factor, drawing, view);
      expect((at.x - after.x) / after.scale).toBeCloseTo((at.x - before.x) / before.scale, 3);
      expect((at.y - after.y) / after.scale).toBeCloseTo((at.y - before.y) / before.scale, 3);
    }),
  );
});

test('limits the scale', () => {
  const drawing = { width: 800, height: 600 };
  const view = { width: 400, height: 300 };
  let [near, far] = [fitTo({ x: 0, y: 0, ...drawing }, view), fitTo({ x: 0, y: 0, ...drawing }, view)];
  for (let step = 0; step < 100; step++) {
    near = zoomAt(near, { x: 10, y: 10 }, 1.25, drawing, view);
    far = zoomAt(far, { x: 10, y: 10 }, 0.8, drawing, view);
  }
  expect(near.scale).toBe(4);
  expect(far.scale).toBeGreaterThan(0.05);
});

test('keeps a part of the drawing in the view', () => {
  fc.assert(
    fc.property(sizes, views, fc.integer(), fc.integer(), (drawing, view, x, y) => {
      const camera = pan(fitTo({ x: 0, y: 0, ...drawing }, view), { x, y }, drawing, view);
      expect(camera.x).toBeLessThan(view.width);
      expect(camera.y).toBeLessThan(view.height);
      expect(camera.x + drawing.width * camera.scale).toBeGreaterThan(0);
      expect(camera.y + drawing.height * camera.scale).toBeGreaterThan(0);
    }),
  );
});

test('reveals a point at a readable size, and does not move a readable point in the view', () => {
  const view = { width: 800, height: 600 };
  const seen = { x: 0, y: 0, scale: 1 };
  expect(reveal(seen, { x: 400, y: 300 }, view)).toBe(seen);
  const moved = reveal({ x: 0, y: 0, scale: 0.1 }, { x: 5000, y: 100 }, view);
  expect(moved.scale).toBe(0.8);
  expect(moved.x + 5000 * moved.scale).toBe(400);
});

test('shows a large drawing first at a readable scale, where most boxes are seen whole', () => {
  const view = { width: 800, height: 600 };
  const boxAt = (x: number, y: number) => {
    const span = { file: 'a.gg', start: 0, end: 1 };
    return { key: `${x} ${y}`, kind: 'object', text: [], span, x, y, width: 80, height: 36 } as const;
  };
  const small = { width: 400, height: 300, boxes: [boxAt(200, 150)], lines: [] };
  expect(firstView(small, view)).toEqual(fitTo({ x: 0, y: 0, ...small }, view));
  const crowd = Array.from({ length: 12 }, (_, at) => boxAt(6000, 3000 + at * 50));
  const large = { width: 9000, height: 5000, boxes: [boxAt(50, 50), ...crowd], lines: [] };
  const { x, y, scale } = firstView(large, view);
  expect(scale).toBe(0.8);
  for (const box of crowd) {
    expect((box.x - 40) * scale + x).toBeGreaterThanOrEqual(0);
    expect((box.x + 40) * scale + x).toBeLessThanOrEqual(800);
    expect((box.y - 18) * scale + y).toBeGreaterThanOrEqual(0);
    expect((box.y + 18) * scale + y).toBeLessThanOrEqual(600);
  }
  // A drawing that is small in one direction is in the middle of the view.
  expect(firstView({ ...large, height: 100, boxes: [boxAt(50, 50)] }, view).y).toBe(300 - 50 * 0.8);
});
