import { fitTo, reveal, type Size } from '../graph/camera.js';
import { createControl } from '../graph/camera-control.js';
import { element } from './pages.js';

/** Lets pictures be moved and enlarged in a frame. Without this they have their own size, and scroll. */
export function movePictures(): void {
  for (const picture of document.querySelectorAll<SVGSVGElement>('svg.picture')) move(picture);
}

function move(picture: SVGSVGElement): void {
  const world = picture.querySelector('g');
  const frame = picture.parentElement;
  if (world === null || frame === null) return;
  const { width, height } = world.getBBox();
  const size = { x: 0, y: 0, width, height };
  const fit = (seen: Size) => fitTo(size, seen);
  const camera = createControl({ current: picture }, { current: world }, { current: size }, fit, true);
  for (const name of ['viewBox', 'width']) picture.removeAttribute(name);
  frame.removeAttribute('tabindex');
  frame.className = 'moved';
  picture.tabIndex = 0;
  picture.addEventListener('keydown', (event) => {
    if (event.target === picture && camera.key(event)) event.preventDefault();
  });
  // A link that gets the focus is moved into the view; a link that is dragged moves the picture.
  picture.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof SVGAElement) || !target.matches(':focus-visible')) return;
    const { x, y, width, height } = target.getBBox();
    camera.glide((from, seen) => reveal(from, { x: x + width / 2, y: y + height / 2 }, seen));
  });
  picture.addEventListener('dragstart', (event) => event.preventDefault());
  const button = (text: string, label: string, action: () => void) => {
    const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
    made.addEventListener('click', action);
    return made;
  };
  frame.append(
    element(
      'div',
      { role: 'toolbar', 'aria-label': 'View' },
      button('−', 'Zoom out', () => camera.zoom(0.8)),
      button('+', 'Zoom in', () => camera.zoom(1.25)),
      button('Fit', 'Fit everything', () => camera.fit()),
    ),
  );
  camera.attach();
}
