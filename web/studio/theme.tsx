import { effect, signal } from '@preact/signals';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'gg-svc theme';
const keptTheme = () => themes.find((each) => each === localStorage.getItem(key)) ?? 'system';
const theme = signal<Theme>(keptTheme());

// The page around this one, or another tab, has changed the theme.
addEventListener('storage', () => {
  theme.value = keptTheme();
});

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset.theme;
  else dataset.theme = theme.value;
  localStorage.setItem(key, theme.value);
});

/** Switches between light and dark; the first choice is that of the system. */
export function ThemeSwitch() {
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select
        value={theme.value}
        onChange={({ currentTarget }) => (theme.value = themes[currentTarget.selectedIndex] ?? 'system')}
      >
        <option value="system">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
