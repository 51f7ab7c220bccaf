/** Bundles the client and the servers of the serving benchmark. Returns the servers' program with and without tracing. */
export function bundleBenchmark(folder: string): Promise<readonly [string, string]>;
