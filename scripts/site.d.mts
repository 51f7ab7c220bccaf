export declare function buildSite(out?: string, options?: { readonly exports?: boolean }): Promise<unknown>;
