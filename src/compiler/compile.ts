import { hasErrors } from '../base/diagnostics/diagnostic.js';
import { withSvcSpan } from '../base/tracing/svc-tracing.js';
import { defined } from '../base/values/defined.js';
import { type Analysis, type AnalyzeOptions, analyze, joinLayers, type SourceInput } from './analyze.js';
import type { EmitOptions } from './emit/emitter.js';
import { type Artifacts, emitAll, emitters, standardFiles } from './emit/emitters.js';
import { federationFragment } from './federation-fragment.js';

/** The options of reading a topology, and the names in its artifacts. */
export interface CompileOptions extends AnalyzeOptions, Partial<EmitOptions> {
  /**
   * Whether the federation layer joins the projection, as in a server and in `gg-svc build`. By default the schema
   * is that of the topology alone.
   */
  readonly federation?: boolean;
  /** Which artifacts to make: those of every topology (`standard`, the default), or those on demand, too. */
  readonly artifacts?: 'standard' | 'all';
}

/** The result of `compile`; without `ok`, the schema may be incomplete and there are no artifacts. */
export type Compilation =
  | (Analysis & { readonly ok: true; readonly artifacts: Artifacts })
  | (Analysis & { readonly ok: false; readonly artifacts: undefined });

/**
 * Compiles a topology: returns the tree, the schema, the diagnostics, and the text of every artifact. User
 * errors are diagnostics, never exceptions; with an error there are no artifacts.
 *
 * @param source - The text of a topology, or one or more named texts, which may import each other.
 * @param options - How to read imports, and the titles and the URL in the artifacts.
 *
 * @example
 * ```ts
 * import { compile } from 'gg-svc';
 *
 * const result = compile(`
 *   (root)-[:PROCESS { id: ID! }]->(read_user: Record { id: ID!, name: String! })
 * `);
 * if (result.ok) console.log(result.artifacts['schema.graphql']);
 * else for (const { code, message } of result.diagnostics) console.error(code, message);
 * ```
 */
export function compile(
  source: string | SourceInput | readonly SourceInput[],
  options: CompileOptions = {},
): Compilation {
  return withSvcSpan('gg.compile', () => {
    const topology = analyze(source, options);
    const analysis = options.federation === true ? joinLayers(topology, [federationFragment]) : topology;
    if (hasErrors(analysis.diagnostics)) return { ok: false, ...analysis, artifacts: undefined };
    const files = options.artifacts === 'all' ? Object.keys(emitters) : standardFiles;
    return { ok: true, ...analysis, artifacts: emitAll(analysis.schema, withDefaults(options), files) };
  });
}

/** Adds the default names of artifacts. */
export function withDefaults(options: Partial<EmitOptions> & Pick<AnalyzeOptions, 'info'>): EmitOptions {
  const { title = options.info?.title ?? 'Topology API', openapi, eventFormat, takesKeys } = options;
  const { collectionName = title, baseUrl = 'http://localhost:4000', ...parts } = options;
  const { arazzo, streams, unusedSchemas, pageSize } = parts;
  const given = defined({ openapi, arazzo, eventFormat, takesKeys, streams, unusedSchemas, pageSize });
  return { title, collectionName, baseUrl, ...given };
}
