import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { jsonParts } from './json-tokens.js';

/** A text in the font of code, which the keyboard scrolls. */
export function CodeText({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the text.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}

/** The same with a button that copies it. */
export function CopiedText({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="copied">
      <CopyButton text={text} what={what} />
      <CodeText label={what}>{text}</CodeText>
    </div>
  );
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, say] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied');
    } catch {
      say('The browser refuses');
    }
    setTimeout(() => say(''), 2000);
  };
  return (
    <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <span aria-live="polite">{said === '' ? 'Copy' : said}</span>
    </button>
  );
}

/** Above this size a text is cut: a page of a megabyte of coloured text helps no reader. */
const most = 200_000;

/** A body: JSON coloured and on lines of its own, any other text as it is. */
export function JsonView({ text, label }: { readonly text: string; readonly label: string }) {
  const parts = text.length > most ? undefined : jsonParts(text);
  return (
    <>
      <CodeText label={label}>
        {parts === undefined
          ? text.slice(0, most)
          : parts.map((part, at) => (
              <span key={at} class={part.kind === 'plain' ? undefined : `json-${part.kind}`}>
                {part.text}
              </span>
            ))}
      </CodeText>
      {text.length > most ? <p class="quiet">The first {most.toLocaleString('en')} characters are shown.</p> : null}
    </>
  );
}
