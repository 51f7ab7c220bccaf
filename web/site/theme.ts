import { kept } from './storage.js';

const root = document.documentElement;

/** Sets the theme that was chosen on an earlier page, before the page is drawn; the playground keeps `system`, too. */
export function restoreTheme(): void {
  const theme = kept('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
}

/** Shows the button that changes the theme. */
export function showTheme(): void {
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
    kept('theme', root.dataset.theme);
    label();
  });
  label();
}
