import type { ListedPage } from '../../src/analysis/site/pages-list.js';
import { element, loadedPages, siteRoot } from './pages.js';

/** A page or one of its members. */
interface Entry {
  readonly title: string;
  readonly kind: string;
  readonly said: string;
  readonly href: string;
  /** All of it in lower case. */
  readonly text: string;
}

/** The matches that are shown; a reader with more types on. */
const most = 50;

/** Searches while the user types. Slash goes to the field, as in many references. */
export function listenForSearch(): void {
  const field = document.querySelector<HTMLInputElement>('header input[type=search]');
  const form = field?.form;
  if (field === null || form === null || form === undefined) return;
  const found = element('p', { role: 'status' });
  const list = element('ul', { 'aria-label': 'Matches' });
  const matches = element('div', { id: 'matches', hidden: '' }, found, list);
  form.append(matches);

  let entries: Promise<readonly Entry[]> | undefined;
  const show = async (): Promise<void> => {
    entries ??= loadedPages().then((pages) => pages.flatMap(entriesOf));
    const all = await entries;
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    matches.hidden = words.length === 0;
    const shown = all.filter(({ text }) => words.every((word) => text.includes(word)));
    shown.sort((one, other) => rank(one, words) - rank(other, words));
    found.textContent =
      shown.length > most ? `${shown.length} found, the first ${most} shown` : `${shown.length} found`;
    list.replaceChildren(...shown.slice(0, most).map(item));
  };
  field.addEventListener('input', () => void show());
  field.addEventListener('focus', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The matches of the last letter may still be loading.
    void show().then(() => list.querySelector('a')?.click());
  });
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(target as Node)) matches.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      matches.hidden = true;
      if (form.contains(document.activeElement)) field.blur();
    } else if (event.key === '/' && !isTyping(event)) {
      event.preventDefault();
      field.focus();
    } else if (!matches.hidden) moveWithArrows(event, [field, ...list.querySelectorAll('a')]);
  });
}

function entriesOf([title, path, kind, summary, members]: ListedPage): readonly Entry[] {
  const entry = (name: string, of: string, said: string, id: string): Entry => ({
    title: name,
    kind: of,
    said,
    href: `${siteRoot}${path}.html${id}`,
    text: `${name} ${of} ${said}`.toLowerCase(),
  });
  if (kind === 'unused input') return members.map(([name, , , said]) => entry(name, kind, said, `#member-${name}`));
  const own = kindOfMember(kind);
  return [
    entry(title, kind, summary, ''),
    ...members.map(([name, , , said, id]) =>
      id === undefined
        ? entry(`${title}.${name}`, own, said, `#member-${name}`)
        : entry(name, `in ${title}`, said, `#${id}`),
    ),
  ];
}

function kindOfMember(kind: string): string {
  if (kind === 'enum') return 'value';
  return kind === 'query' || kind === 'mutation' || kind === 'subscription' ? 'argument' : 'field';
}

/** Whole names come first, then beginnings of names, other parts of names, and descriptions. */
function rank({ title }: Entry, [first = '']: readonly string[]): number {
  const name = title.toLowerCase();
  if (name === first) return 0;
  return name.startsWith(first) ? 1 : name.includes(first) ? 2 : 3;
}

function item({ title, kind, said, href }: Entry): HTMLElement {
  const parts = [element('b', {}, title), ' ', element('small', {}, kind), ' ', element('span', {}, said)];
  return element('li', {}, element('a', { href }, ...parts));
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField || ctrlKey || metaKey || altKey;
}

/** The arrow keys move between the field and the matches. */
function moveWithArrows(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = step === 0 || at === -1 ? undefined : stops[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
