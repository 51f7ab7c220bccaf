import { codeActionsFeature } from './features/code-actions.js';
import { completionFeature } from './features/completion.js';
import { definitionFeature } from './features/definition.js';
import { diagnosticsFeature } from './features/diagnostics.js';
import { documentSymbolsFeature, workspaceSymbolsFeature } from './features/document-symbols.js';
import type { Feature } from './features/feature.js';
import { foldingFeature } from './features/folding.js';
import { formattingFeature } from './features/formatting.js';
import { highlightFeature, referencesFeature } from './features/references.js';
import { semanticTokensFeature } from './features/semantic-tokens.js';

/** The features that do not need the compiler. Those that do are in `analysis/analysis-features.ts`. */
export const features: readonly Feature[] = [
  diagnosticsFeature,
  codeActionsFeature,
  completionFeature,
  definitionFeature,
  referencesFeature,
  highlightFeature,
  documentSymbolsFeature,
  workspaceSymbolsFeature,
  semanticTokensFeature,
  foldingFeature,
  formattingFeature,
];
