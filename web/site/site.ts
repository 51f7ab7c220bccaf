// The script of the static site: theme, search, keyboard. Pages can be read without it.

const root = document.documentElement;

/** The theme is kept for the next page, unless the browser stores nothing for pages from the disk. */
function storedTheme(theme?: string): string | null {
  try {
    if (theme !== undefined) localStorage.setItem('gg-theme', theme);
    return localStorage.getItem('gg-theme');
  } catch {
    return null;
  }
}

function showTheme(): void {
  const button = document.getElementById('theme') as HTMLButtonElement;
  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark';
  const label = () => {
    button.textContent = isDark() ? 'Light theme' : 'Dark theme';
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    storedTheme(root.dataset.theme);
    label();
  });
  label();
}

/** Slash goes to the search, as in many references. */
function listenForSlash(field: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (key !== '/' || isTyping || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    field.focus();
  });
}

/** Filters the list of the search page while the user types: every word must occur. */
function search(field: HTMLInputElement, results: HTMLElement): void {
  const items = [...results.children].map((item) => {
    const title = item.querySelector('b')?.textContent?.toLowerCase() ?? '';
    return { item: item as HTMLElement, title, text: item.textContent?.toLowerCase() ?? '' };
  });
  const found = document.getElementById('found') as HTMLElement;
  const rank = (title: string, words: readonly string[]): number => {
    const [first = ''] = words;
    if (title === first) return 0;
    return title.startsWith(first) ? 1 : title.includes(first) ? 2 : 3;
  };
  const filter = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = items.filter(({ text }) => words.every((word) => text.includes(word)));
    if (words.length > 0) shown.sort((one, other) => rank(one.title, words) - rank(other.title, words));
    results.replaceChildren(...shown.map(({ item }) => item));
    found.textContent = words.length === 0 ? '' : `${shown.length} found`;
  };
  field.addEventListener('input', filter);
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  moveWithArrows(field, results);
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  filter();
  field.focus();
}

/** The arrow keys move between the field and the results. */
function moveWithArrows(field: HTMLInputElement, results: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const stops = [field, ...results.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
    const next = at === -1 ? undefined : stops[at + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

const theme = storedTheme();
if (theme !== null) root.dataset.theme = theme;
document.addEventListener('DOMContentLoaded', () => {
  showTheme();
  const field = document.querySelector<HTMLInputElement>('header input[type=search]');
  if (field === null) return;
  listenForSlash(field);
  const results = document.getElementById('results');
  if (results !== null) search(field, results);
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
});
