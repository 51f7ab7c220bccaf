import { codeActionsFeature } from './code-actions.js';
import { codeLensFeature } from './code-lens.js';
import { completionFeature } from './completion.js';
import { diagnosticsFeature } from './diagnostics.js';
import { documentSymbolsFeature, workspaceSymbolsFeature } from './document-symbols.js';
import type { AnalysisFeature, Feature } from './feature.js';
import { foldingFeature } from './folding.js';
import { formattingFeature } from './formatting.js';
import { hoverFeature } from './hover.js';
import { definitionFeature, highlightFeature, referencesFeature } from './navigation.js';
import { renameFeature } from './rename.js';
import { semanticTokensFeature } from './semantic-tokens.js';
import { topologyGraphFeature } from './topology-graph.js';

/** The features that do not need the compiler. */
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

/** The features that need the compiler: the analysis answers their requests. */
export const analysisFeatures: readonly AnalysisFeature[] = [
  hoverFeature,
  renameFeature,
  codeLensFeature,
  topologyGraphFeature,
];
