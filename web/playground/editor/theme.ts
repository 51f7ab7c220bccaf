import { EditorView } from '@codemirror/view';

/** The looks of the editor, in the colours of the page. */
export const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--page)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--accent) 20%, transparent)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--panel)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--page)' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionDetail': { color: 'var(--quiet)' },
  '.cm-lsp-documentation': { maxWidth: '42em', maxHeight: '24em', overflow: 'auto' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--page)' },
  '.cm-button, .cm-textfield': {
    backgroundImage: 'none',
    backgroundColor: 'var(--box)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
  '.gg-class': { color: 'var(--query)' },
  '.gg-interface, .gg-type': { color: 'var(--union)' },
  '.gg-event': { color: 'var(--subscription)', fontWeight: 'bold' },
  '.gg-keyword': { color: 'var(--subscription)' },
  '.gg-string, .gg-enumMember': { color: 'var(--mutation)' },
  '.gg-number': { color: 'var(--warning)' },
  '.gg-comment': { color: 'var(--quiet)', fontStyle: 'italic' },
});
