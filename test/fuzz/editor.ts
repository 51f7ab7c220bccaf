import type { Connection } from 'vscode-languageserver';
import type { Session } from '../../src/tools/language-server/features/feature.js';
import { analysisFeatures, features } from '../../src/tools/language-server/features/features.js';
import { noStoredFiles } from '../../src/tools/language-server/workspace/stored-files.js';
import { Workspace } from '../../src/tools/language-server/workspace/workspace.js';
import { below, pick, type Random } from '../bench/random.js';

type Handler = (params: unknown) => unknown;

/** Asks every feature of the language server about some places of a text, then edits it there, and asks again. */
export async function askEditor(text: string, random: Random): Promise<void> {
  const workspace = new Workspace('file:///{code}.md', noStoredFiles);
  const handlers = new Map<string, Handler>();
  const connection = recordHandlers(handlers);
  const ended = AbortSignal.abort();
  const analyst = { notify: () => {}, request: async () => [] as never };
  for (const feature of features) feature.register(connection, workspace, { analyst, ended } as Session);
  for (const feature of analysisFeatures) feature.register(connection, workspace);

  const uri = 'file:///fuzz.gg';
  let file = workspace.open(uri, 1, text);
  for (let version = 2; version < 4; version++) {
    const { document } = file;
    const place = () => document.positionAt(below(document.getText().length + 1, random));
    const start = place();
    const range = { start, end: start };
    const textDocument = { uri, version };
    const options = { tabSize: 2, insertSpaces: true };
    const context = { includeDeclaration: true, diagnostics: [] };
    const params = { textDocument, position: start, range, options, context, query: 'a', newName: 'b_c' };
    for (const [name, handler] of handlers) {
      if (!/^onDid|Initiali|Shutdown/.test(name)) await handler(params);
    }
    const contentChanges = [{ range, text: pick(['(', '{', '"', '\n', 'x', '-[:'], random) }];
    file = workspace.change(uri, version, contentChanges)?.file ?? file;
  }
}

/** A connection that keeps its handlers, by the names of the methods that register them. */
function recordHandlers(handlers: Map<string, Handler>): Connection {
  const namespaceOf = (prefix: string): unknown =>
    new Proxy(() => {}, {
      get: (_target, name) => namespaceOf(`${prefix}.${String(name)}`),
      apply: (_target, _this, given: readonly unknown[]) => {
        const handler = given.findLast((value) => typeof value === 'function');
        if (handler !== undefined) handlers.set(`${prefix.slice(1)} ${given[0]}`, handler as Handler);
      },
    });
  return namespaceOf('') as Connection;
}
