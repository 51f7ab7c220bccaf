interface TabsProps {
  readonly label: string;
  /** The id of the element that shows the open tab. */
  readonly panel: string;
  readonly tabs: readonly { readonly id: string; readonly label: string }[];
  readonly open: string;
  readonly onOpen: (id: string) => void;
}

/** A list of tabs: the arrow keys, Home and End move between them, as in the ARIA Authoring Practices Guide. */
export function Tabs({ label, panel, tabs, open, onOpen }: TabsProps) {
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === open);
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    const target = next === undefined ? undefined : tabs[next];
    if (next === undefined || target === undefined) return;
    event.preventDefault();
    onOpen(target.id);
    const list = event.currentTarget as HTMLElement;
    (list.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((one) => (
        <button
          type="button"
          class="tab"
          role="tab"
          key={one.id}
          aria-selected={one.id === open}
          aria-controls={panel}
          tabIndex={one.id === open ? 0 : -1}
          onClick={() => onOpen(one.id)}
        >
          {one.label}
        </button>
      ))}
    </div>
  );
}
