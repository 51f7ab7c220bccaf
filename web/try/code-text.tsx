import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.js';

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
