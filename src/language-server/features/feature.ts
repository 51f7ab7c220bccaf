import type { CancellationToken, Connection, ServerCapabilities } from 'vscode-languageserver';
import type { Workspace } from '../workspace/workspace.js';

/**
 * One feature of the language server, answered from names and syntax alone. To add one: a file in `features/`, a line
 * in `features.ts`.
 */
export interface Feature {
  /** The capabilities that the server announces to the client. */
  readonly capabilities: ServerCapabilities;
  readonly register: (connection: Connection, workspace: Workspace, session: Session) => void;
}

/**
 * A feature that needs the compiler. Its requests are answered where the analysis runs, so that no other request waits
 * for it. To add one: a file in `features/`, a line in `analysis/analysis-features.ts`.
 */
export interface AnalysisFeature {
  readonly capabilities: ServerCapabilities;
  readonly requests: readonly string[];
  readonly register: (connection: Connection, workspace: Workspace) => void;
}

/** The state that lasts as long as the client. */
export interface Session {
  readonly analyst: Analyst;
  /** Aborted when the client has gone: nothing may be sent afterwards. */
  readonly ended: AbortSignal;
}

/** The analysis, wherever it runs. It keeps a workspace of its own and speaks the Language Server Protocol. */
export interface Analyst {
  /** Forwards the client's document notifications. */
  notify(method: string, params: unknown): void;
  /** Sends a request about the current documents. Rejects if it is cancelled or the analysis fails. */
  request<Result>(method: string, params: unknown, token: CancellationToken): Promise<Result>;
}
