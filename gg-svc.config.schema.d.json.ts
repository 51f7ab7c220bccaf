import type { ConfigSchema } from './src/runtime/config/check-config.js';

declare const configSchema: ConfigSchema;
export = configSchema;
