import { githubReporter } from './github.js';
import { jsonReporter } from './json.js';
import type { Reporter } from './report.js';
import { sarifReporter } from './sarif.js';
import { textReporter } from './text.js';

/** The registry of report formats, in the order in which help lists them. */
export const reporters: readonly Reporter[] = [textReporter, jsonReporter, sarifReporter, githubReporter];
