/** How long a store is compared with a model in memory. */
export interface ModelRun {
  /** The number of random topologies. */
  readonly numRuns: number;
  /** The maximum number of mutations, or of reads, of a topology. */
  readonly length?: number;
  /** What decides the topologies and the operations; random without it. */
  readonly seed?: number;
  /** Called for each operation. */
  readonly onOperation?: () => void;
}
