import type { Connection, ServerCapabilities } from 'vscode-languageserver';
import type { Workspace } from '../workspace/workspace.js';

/**
 * One thing that the language server does. To add one: one file in `features/`, one line in `features.ts`.
 */
export interface Feature {
  /** What the client is told of it. */
  readonly capabilities: ServerCapabilities;
  /** Answers its requests. What it does of itself has to end when `ended` is aborted: nobody listens then. */
  readonly register: (connection: Connection, workspace: Workspace, ended: AbortSignal) => void;
}
