import type { CancellationToken, Connection, ServerCapabilities, TextDocumentIdentifier } from 'vscode-languageserver';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';

/** A feature answered from names and syntax alone. To add one: a file here, a line in `features.ts`. */
export interface Feature {
  readonly capabilities: ServerCapabilities;
  readonly register: (connection: Connection, workspace: Workspace, session: Session) => void;
}

/** A feature that needs the compiler, answered by the analysis. */
export interface AnalysisFeature {
  readonly capabilities: ServerCapabilities;
  readonly requests: readonly string[];
  readonly register: (connection: Connection, workspace: Workspace) => void;
}

/** The state that lasts as long as the client. */
export interface Session {
  readonly analyst: Analyst;
  /** Aborted when the client has disconnected: nothing may be sent afterwards. */
  readonly ended: AbortSignal;
}

/** The analysis, wherever it runs. It keeps a workspace of its own and speaks the Language Server Protocol. */
export interface Analyst {
  notify(method: string, params: unknown): void;
  /** Sends a request about the current documents. Rejects if it is cancelled or the analysis fails. */
  request<Result>(method: string, params: unknown, token: CancellationToken): Promise<Result>;
}

/** Answers a request about a file; with an empty list if there is no such file. */
export function listFor<Params extends { readonly textDocument: TextDocumentIdentifier }, Item>(
  workspace: Workspace,
  list: (file: TopologyFile, params: Params) => Item[],
): (params: Params) => Item[] {
  return (params) => {
    const file = workspace.fileAt(params.textDocument.uri);
    return file === undefined ? [] : list(file, params);
  };
}
