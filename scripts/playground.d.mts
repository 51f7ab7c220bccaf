export declare function buildPlayground(out?: string): Promise<void>;
