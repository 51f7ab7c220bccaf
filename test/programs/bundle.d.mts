import type { Plugin } from 'esbuild';

export declare function bundlePrograms(
  programs: readonly string[],
  outdir: string,
  plugins?: readonly Plugin[],
): Promise<void>;
export declare function copyPackage(): string;
export declare function programFolder(name: string): string;
export declare function withProgramFolder<Result>(
  name: string,
  work: (folder: string) => Result | PromiseLike<Result>,
): Promise<Result>;
export declare function runNode(args: readonly string[], processor?: string): number;
export declare function processors(): string[];
export declare function twoProcessors(): [string, string] | [];
