import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import { centreOn } from './camera.js';
import type { CameraControl } from './camera-control.js';

const most = { width: 180, height: 120 };

/**
 * A small picture of the whole drawing with the part that is seen, for the pointer: a click or a drag moves the view. It is
 * hidden while everything is seen.
 */
export function Minimap({ drawing, camera }: { readonly drawing: Drawing; readonly camera: CameraControl }) {
  const { width, height, boxes } = drawing;
  const map = useRef<HTMLDivElement>(null);
  const lens = useRef<SVGRectElement>(null);
  const scale = Math.min(most.width / Math.max(width, 1), most.height / Math.max(height, 1));
  useEffect(
    () =>
      camera.watch((seen) => {
        const isWhole = seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= width && seen.y + seen.height >= height;
        if (map.current !== null) map.current.style.display = isWhole ? 'none' : '';
        for (const name of ['x', 'y', 'width', 'height'] as const) lens.current?.setAttribute(name, String(seen[name]));
      }),
    [camera, width, height],
  );
  const outlines = useMemo(
    () =>
      boxes
        .map((box) => `M${box.x - box.width / 2},${box.y - box.height / 2}h${box.width}v${box.height}h${-box.width}z`)
        .join(''),
    [boxes],
  );
  const look = (event: PointerEvent) => {
    if (event.buttons !== 1 || map.current === null) return;
    map.current.setPointerCapture(event.pointerId);
    const { left, top } = map.current.getBoundingClientRect();
    const point = { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
    camera.move((from, view) => centreOn(from, point, view));
  };
  return (
    <div ref={map} class="minimap" aria-hidden="true" onPointerDown={look} onPointerMove={look}>
      <svg width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`}>
        <path d={outlines} />
        <rect ref={lens} />
      </svg>
    </div>
  );
}
