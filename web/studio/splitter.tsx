import { signal } from '@preact/signals';

const key = 'gg-svc panel';
const [least, most] = [20, 75] as const;

/** The share of the panel, in percent of the width, or of the height on a narrow page. */
export const panelShare = signal(clamp(Number(localStorage.getItem(key) ?? 36)));

/** A bar that resizes the panel, by the window splitter pattern of the ARIA Authoring Practices. */
export function Splitter() {
  const resize = (share: number) => {
    panelShare.value = clamp(share);
    localStorage.setItem(key, String(panelShare.value));
  };
  const onPointerMove = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const page = bar.parentElement?.parentElement;
    if (!bar.hasPointerCapture(event.pointerId) || !page) return;
    const { left, top, width, height } = page.getBoundingClientRect();
    const isBeside = bar.clientHeight > bar.clientWidth;
    resize(100 * (isBeside ? 1 - (event.clientX - left) / width : 1 - (event.clientY - top) / height));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = 4;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') resize(panelShare.value + step);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowDown') resize(panelShare.value - step);
    else if (event.key === 'Home') resize(least);
    else if (event.key === 'End') resize(most);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label="Size of the panel"
      aria-valuenow={Math.round(panelShare.value)}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}

function clamp(share: number): number {
  return Math.min(Math.max(Number.isFinite(share) ? share : 36, least), most);
}
