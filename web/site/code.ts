import { colour } from './colours.js';
import { element } from './pages.js';
import { kept } from './storage.js';

/** Gives every code its colours and a button that copies it, and shows one language of a request at a time. */
export function finishCode(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('main figure')) {
    const code = figure.querySelector('code');
    if (code === null) continue;
    const text = code.textContent ?? '';
    const parts = colour(code.className, text);
    if (parts !== undefined) code.replaceChildren(...parts);
    figure.querySelector('figcaption')?.append(copyButton(figure.dataset.copy ?? text));
  }
  for (const tabs of document.querySelectorAll<HTMLElement>('main .tabs')) makeTabs(tabs);
}

function copyButton(text: string): HTMLElement {
  const said = element('span', { 'aria-live': 'polite' }, 'Copy');
  const button = element('button', { type: 'button', class: 'copy' }, said);
  button.addEventListener('click', async () => {
    said.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'The browser refuses',
    );
    setTimeout(() => {
      said.textContent = 'Copy';
    }, 2000);
  });
  return button;
}

/** Tabs as the authoring practices of ARIA have them. The chosen language is kept for the next page. */
function makeTabs(tabs: HTMLElement): void {
  const panels = [...tabs.querySelectorAll('figure')].map((figure, at) => {
    const name = figure.querySelector('figcaption')?.firstChild?.textContent ?? '';
    const panel = element('div', { role: 'tabpanel', id: `code-${at}`, 'aria-label': name });
    figure.replaceWith(panel);
    panel.append(figure);
    return panel;
  });
  const buttons = panels.map((panel) => {
    const name = panel.getAttribute('aria-label') ?? '';
    return element('button', { type: 'button', role: 'tab', 'aria-controls': panel.id }, name);
  });
  const choose = (chosen: number): void => {
    for (const [at, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(at === chosen));
      button.tabIndex = at === chosen ? 0 : -1;
      (panels[at] as HTMLElement).hidden = at !== chosen;
    }
  };
  for (const [at, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      choose(at);
      kept('tab', button.textContent ?? '');
    });
    button.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      const next = step === 0 ? undefined : buttons[(at + step + buttons.length) % buttons.length];
      next?.focus();
      next?.click();
    });
  }
  const before = buttons.findIndex(({ textContent }) => textContent === kept('tab'));
  tabs.prepend(element('div', { role: 'tablist', 'aria-label': 'Languages' }, ...buttons));
  choose(Math.max(0, before));
}
