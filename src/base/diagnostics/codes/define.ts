/** The severity of a finding: an `error` stops the projection, the others do not. */
export type Severity = 'error' | 'warning' | 'information';

/** One row of the code tables. */
export interface DiagnosticDefinition<Params> {
  readonly severity: Severity;
  /** A short kebab-case name, for rule lists (SARIF) and for the title of its page. */
  readonly name: string;
  /** One sentence that says what is wrong. */
  readonly message: (params: Params) => string;
  /** One sentence that says what to do. */
  readonly hint: (params: Params) => string | undefined;
}

/** A text with the names of parameters in braces (`Write {word}.`), or a function of the parameters. */
type Sentence<Text extends string | undefined> = string | ((params: never) => Text);

type ParamsOf<Given> = Given extends string
  ? { readonly [Name in NamesIn<Given>]: string | number }
  : Given extends (params: infer Params) => unknown
    ? Params
    : never;

/** The names in the braces of a text. Braces with a space, as in `{ key: value }`, stand for themselves. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never;

/** Makes rows of one severity, so that a wrong or missing parameter does not compile. */
function definer(severity: Severity) {
  return <Message extends Sentence<string>, Hint extends Sentence<string | undefined> = ''>(
    name: string,
    message: Message,
    hint?: Hint,
  ): DiagnosticDefinition<ParamsOf<Message> & ParamsOf<Hint>> => ({
    severity,
    name,
    message: writer(message) as (params: object) => string,
    hint: hint === undefined ? () => undefined : writer(hint),
  });
}

export const error = definer('error');
export const warning = definer('warning');
export const information = definer('information');

/** A topology may have a finding for each edge, so that a text is taken apart only once. */
function writer(sentence: Sentence<string | undefined>): (params: object) => string | undefined {
  if (typeof sentence === 'function') return sentence as (params: object) => string | undefined;
  let parts: readonly string[] | undefined;
  return (params) => {
    // Every second part is a name.
    parts ??= sentence.split(/\{(\w+)\}/);
    let text = '';
    let isName = false;
    for (const part of parts) {
      text += isName ? params[part as keyof typeof params] : part;
      isName = !isName;
    }
    return text;
  };
}

/** The hint that a finding brings along; without one, other advice. */
export function given(otherwise?: string) {
  return ({ advice }: { readonly advice?: string | undefined }): string | undefined => advice ?? otherwise;
}

/** The hint that names the known word that is nearest to an unknown one; without one, other advice. */
export function didYouMean(otherwise?: string) {
  return ({ suggestion }: { readonly suggestion?: string | undefined }): string | undefined =>
    suggestion === undefined ? otherwise : `Did you mean ${suggestion}?`;
}

/** `“a”`, `“a” and “b”`, `“a”, “b” and 3 others`. */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => `“${name}”`);
  if (names.length > 3) return `${shown.join(', ')} and ${names.length - 2} others`;
  return shown.length === 1 ? (shown[0] as string) : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
