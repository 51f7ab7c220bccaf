import type { ComponentChildren } from 'preact';
import { partOfName } from '../../graph/structure.js';
import { openTab, selection } from '../store.js';

interface LinkProps {
  /** The name of the part. */
  readonly part: string;
  /** The tab of the panel to open; absent for the one that is open. */
  readonly tab?: string;
  readonly children?: ComponentChildren;
}

/** A button that selects a part of the graph. It shows the name of the part if nothing else is given. */
export function PartLink({ part, tab, children = <bdi>{part}</bdi> }: LinkProps) {
  const select = () => {
    selection.value = partOfName(part);
    if (tab !== undefined) openTab.value = tab;
  };
  return (
    <button type="button" class="link" onClick={select}>
      {children}
    </button>
  );
}
