import { codeLensFeature } from '../features/code-lens.js';
import type { AnalysisFeature } from '../features/feature.js';
import { hoverFeature } from '../features/hover.js';
import { renameFeature } from '../features/rename.js';
import { topologyGraphFeature } from '../features/topology-graph.js';

export const analysisFeatures: readonly AnalysisFeature[] = [
  hoverFeature,
  renameFeature,
  codeLensFeature,
  topologyGraphFeature,
];
