import { useState } from 'preact/hooks';

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
