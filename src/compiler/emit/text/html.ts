/** HTML text, which is not escaped. */
export interface Html {
  readonly html: string;
}

/** A template of HTML. Values are escaped, unless they are HTML. The items of a list are joined. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | string | number)[]
): Html {
  let text = parts[0] ?? '';
  values.forEach((value, at) => {
    text += write(value) + (parts[at + 1] ?? '');
  });
  return { html: text };
}

/** The text of an element that is long and full of quotes, such as code: quotes need no escape there. */
export function codeText(text: string): Html {
  return { html: text.replace(/[&<>]/g, (character) => entities[character] as string) };
}

function write(value: Html | readonly Html[] | string | number): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map((item) => item.html).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
