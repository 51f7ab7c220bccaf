import type { ColouredPart } from './colour-lines.js';

/** A line in its colours. */
export function ColouredLine({ parts }: { readonly parts: readonly ColouredPart[] }) {
  return (
    <>
      {parts.map(({ kind, text }, at) => (
        <span key={at} class={kind === undefined ? undefined : `gg-${kind}`}>
          {text}
        </span>
      ))}
    </>
  );
}
