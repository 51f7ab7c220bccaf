import { effect } from '@preact/signals';
import { nameOfPart, partOfName } from '../graph/structure.js';
import { selection } from './store.js';

/** Keeps the selection in the fragment of the address, `#Query.readUser` or `#(read_user)`: links and the back button work. */
export function followLocation(): void {
  const read = () => {
    const name = selectedName();
    const next = partFromFragment(location.hash);
    if (next !== name) selection.value = next === undefined ? undefined : partOfName(next);
  };
  addEventListener('popstate', read);
  read();
  effect(() => {
    const name = selectedName();
    if (name === partFromFragment(location.hash)) return;
    const fragment = name === undefined ? location.pathname : `#${encodeURIComponent(name)}`;
    history.pushState(null, '', fragment);
  });
}

function selectedName(): string | undefined {
  return selection.value && nameOfPart(selection.value);
}

function partFromFragment(fragment: string): string | undefined {
  if (fragment.length < 2) return undefined;
  try {
    return decodeURIComponent(fragment.slice(1));
  } catch {
    return undefined;
  }
}
