import { codeActionsFeature } from './features/code-actions.js';
import { completionFeature } from './features/completion.js';
import { definitionFeature } from './features/definition.js';
import { diagnosticsFeature } from './features/diagnostics.js';
import { documentSymbolsFeature, workspaceSymbolsFeature } from './features/document-symbols.js';
import type { Feature } from './features/feature.js';
import { foldingFeature } from './features/folding.js';
import { formattingFeature } from './features/formatting.js';
import { hoverFeature } from './features/hover.js';
import { highlightFeature, referencesFeature } from './features/references.js';
import { renameFeature } from './features/rename.js';
import { semanticTokensFeature } from './features/semantic-tokens.js';

/** THE features of the language server. */
export const features: readonly Feature[] = [
  diagnosticsFeature,
  codeActionsFeature,
  hoverFeature,
  completionFeature,
  definitionFeature,
  referencesFeature,
  highlightFeature,
  renameFeature,
  documentSymbolsFeature,
  workspaceSymbolsFeature,
  semanticTokensFeature,
  foldingFeature,
  formattingFeature,
];
