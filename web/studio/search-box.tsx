import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { partOfName } from '../graph/structure.js';
import { type SearchEntry, search, searchEntries } from './search-index.js';
import { selection, state } from './store.js';

/** A search over operations, unions, types and nodes, by the combobox pattern of the ARIA Authoring Practices. */
export function SearchBox() {
  const api = state.value?.api;
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => (api === undefined ? [] : searchEntries(api.schema, api.drawing)), [api]);
  const found = useMemo(() => (isOpen ? search(entries, text) : []), [entries, text, isOpen]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey } = event;
      const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
      if (!(((ctrlKey || metaKey) && key.toLowerCase() === 'k') || (key === '/' && !isTyping))) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);

  const choose = (entry: SearchEntry | undefined) => {
    if (entry === undefined) return;
    selection.value = partOfName(entry.part);
    setOpen(false);
    setText('');
    input.current?.blur();
  };
  const show = (value: string) => {
    setText(value);
    setActive(0);
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter') choose(found[active]);
    else if (event.key === 'Escape') {
      setOpen(false);
      input.current?.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <search class="search">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search operations, types and nodes"
        aria-expanded={isOpen && found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found.length > 0 ? `found-${active}` : undefined}
        placeholder="Search  ( / )"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => show(currentTarget.value)}
        onFocus={() => show(text)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id="found" role="listbox" aria-label="Found" hidden={!isOpen || found.length === 0}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses in the text field.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field.
          <div
            key={entry.part}
            id={`found-${index}`}
            role="option"
            aria-selected={index === active}
            // The blur of the text field would close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(entry)}
          >
            <span class={`kind ${entry.kind}`}>{entry.kind}</span>
            <bdi class="title">{entry.title}</bdi>
            <bdi class="detail">{entry.detail}</bdi>
          </div>
        ))}
      </div>
      {isOpen && text !== '' && found.length === 0 ? <p role="status">Nothing is called “{text}”.</p> : null}
    </search>
  );
}
