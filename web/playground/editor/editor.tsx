import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { formatDocument } from '@codemirror/lsp-client';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { active, files, findings, onReplace, resolvers, resolversName, setText } from '../store.js';
import { semanticColours } from './colours.js';
import { client, languageSupport, offsetOf, workspace } from './language-client.js';
import { theme } from './theme.js';

let view: EditorView | undefined;
/** The file that the editor shows. */
let shown: string | undefined;

/**
 * The editor of the active file. It lives in a shadow tree: there CodeMirror adopts its style sheets, which a policy
 * without inline styles allows.
 */
export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    view = new EditorView({ parent: root, root });
    workspace.show = (name) => {
      showFile(name);
      return view ?? null;
    };
    workspace.onFindings = showFindings;
    const open = () => {
      shown = undefined;
      for (const { uri } of workspace.files) workspace.remove(uri.slice(uri.lastIndexOf('playground/') + 11));
      for (const { name, text } of files.peek()) workspace.add(name, stateOf(name, text));
      showFile(active.peek());
    };
    onReplace.add(open);
    open();
    const stop = active.subscribe((name) => showFile(name));
    return () => {
      stop();
      onReplace.delete(open);
      view?.destroy();
      view = undefined;
    };
  }, []);
  return <div class="editor" ref={host} />;
}

/** Opens a new file. */
export function addFile(name: string, text = ''): void {
  files.value = [...files.value, { name, text }];
  workspace.add(name, stateOf(name, text));
  active.value = name;
}

/** Deletes a file. */
export function deleteFile(name: string): void {
  const rest = files.value.filter((file) => file.name !== name);
  active.value = rest[0]?.name ?? '';
  workspace.remove(name);
  files.value = rest;
}

/** Gives a file another name, at the same place. */
export function renameFile(name: string, next: string): void {
  const text = files.value.find((file) => file.name === name)?.text ?? '';
  workspace.add(next, stateOf(next, text));
  files.value = files.value.map((file) => (file.name === name ? { name: next, text } : file));
  if (active.value === name) active.value = next;
  workspace.remove(name);
}

/** Selects a range of a file. */
export function revealRange(name: string, range: { readonly start: number; readonly end: number }): void {
  active.value = name;
  if (view === undefined || shown !== name) return;
  const { length } = view.state.doc;
  const [anchor, head] = [Math.min(range.start, length), Math.min(range.end, length)];
  view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
  view.focus();
}

/** The offset of a position in a file. */
export function offsetIn(name: string, position: { line: number; character: number }): number {
  const file = workspace.file(name);
  return file === undefined ? 0 : offsetOf(file.view?.state.doc ?? file.state.doc, position);
}

/** Formats the active file. */
export function formatActive(): void {
  if (view !== undefined && shown !== resolversName) formatDocument(view);
}

function showFile(name: string): void {
  if (view === undefined || shown === name || name === '') return;
  // The plugin of the file that is left takes its unsent changes with it.
  client.sync();
  const old = shown === undefined ? undefined : workspace.file(shown);
  if (old !== undefined) old.state = view.state;
  const file = workspace.file(name);
  if (file === undefined && name !== resolversName) return;
  shown = name;
  active.value = name;
  view.setState(file?.state ?? stateOf(resolversName, resolvers.peek() ?? ''));
  showFindings(view);
}

function showFindings(shownIn: EditorView): void {
  const { doc } = shownIn.state;
  const list = findings.peek().get(shown ?? '') ?? [];
  const severities = ['error', 'error', 'warning', 'info', 'hint'] as const;
  const diagnostics = list.map(({ range, severity = 1, message, fixes, code }) => ({
    from: offsetOf(doc, range.start),
    to: offsetOf(doc, range.end),
    severity: severities[severity] ?? 'error',
    message: `${message}${code === undefined ? '' : ` [${code}]`}`,
    actions: fixes.map(({ title, apply }) => ({ name: title, apply })),
  }));
  shownIn.dispatch(setDiagnostics(shownIn.state, diagnostics));
}

function stateOf(name: string, text: string): EditorState {
  const isTopology = name !== resolversName;
  const extensions: Extension[] = [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': `Text of ${name}` }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      setText(name, state.doc.toString());
      if (isTopology) client.sync();
    }),
    replaceBySelf,
    theme,
    ...(isTopology ? [languageSupport(name), semanticColours(), lintGutter()] : [autocompletion()]),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
  return EditorState.create({ doc: text, extensions });
}

/**
 * Replaces a selection that is typed over. Chromium itself would keep the colour of the replaced text in an inline
 * style, which the policy of the page refuses.
 */
const replaceBySelf = EditorView.domEventHandlers({
  beforeinput: ({ inputType, isComposing, data }, editor) => {
    const { state } = editor;
    const { from, to, empty } = state.selection.main;
    if (inputType !== 'insertText' || isComposing || data === null || empty) return false;
    const insert = () => state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(editor, from, to, data, insert))) editor.dispatch(insert());
    return true;
  },
});
