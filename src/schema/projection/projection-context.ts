import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { TypeProjection } from './type-projection.js';

/** Shared by the parts of the projection. */
export interface ProjectionContext {
  readonly types: TypeProjection;
  readonly diagnostics: Diagnostic[];
}
