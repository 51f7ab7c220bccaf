import { LSPPlugin } from '@codemirror/lsp-client';
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';
import type { SemanticTokens } from 'vscode-languageserver';

/**
 * Colours a topology with the semantic tokens of the language server. Until those of a changed text arrive, the old
 * ones move along with it.
 */
export function semanticColours() {
  return [colours, asker];
}

const setColours = StateEffect.define<DecorationSet>();

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, transaction) =>
    transaction.effects.find((effect) => effect.is(setColours))?.value ?? value.map(transaction.changes),
  provide: (field) => EditorView.decorations.from(field),
});

const asker = ViewPlugin.fromClass(
  class {
    #isEnded = false;
    #timer: ReturnType<typeof setTimeout>;

    constructor(readonly view: EditorView) {
      this.#timer = setTimeout(() => this.#ask());
    }

    update({ docChanged }: { readonly docChanged: boolean }): void {
      if (!docChanged) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), 30);
    }

    destroy(): void {
      this.#isEnded = true;
      clearTimeout(this.#timer);
    }

    async #ask(): Promise<void> {
      const plugin = LSPPlugin.get(this.view);
      if (plugin === null) return;
      const { client, uri } = plugin;
      client.sync();
      const { doc } = this.view.state;
      const params = { textDocument: { uri } };
      const tokens = await client
        .request<typeof params, SemanticTokens>('textDocument/semanticTokens/full', params)
        .catch(() => undefined);
      if (tokens === undefined || this.#isEnded || this.view.state.doc !== doc) return;
      const legend = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
      const builder = new RangeSetBuilder<Decoration>();
      let line = 1;
      let character = 0;
      const { data } = tokens;
      for (let index = 0; index + 4 < data.length; index += 5) {
        const [down = 0, right = 0, length = 0, type = 0] = data.slice(index, index + 4);
        character = down === 0 ? character + right : right;
        line += down;
        if (line > doc.lines) break;
        const from = doc.line(line).from + character;
        const mark = marks.get(legend[type] ?? '');
        if (mark !== undefined && from + length <= doc.length) builder.add(from, from + length, mark);
      }
      this.view.dispatch({ effects: setColours.of(builder.finish()) });
    }
  },
);

const marks = new Map(
  'class interface property parameter type enumMember event keyword string number comment'
    .split(' ')
    .map((name) => [name, Decoration.mark({ class: `gg-${name}` })]),
);
