import { CodeText } from './code-text.js';
import { jsonParts } from './json-tokens.js';

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
