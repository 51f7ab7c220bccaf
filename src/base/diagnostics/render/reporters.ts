import { githubReporter } from './github.js';
import { jsonReporter } from './json.js';
import type { Reporter } from './report.js';
import { sarifReporter } from './sarif.js';
import { textReporter } from './text.js';

/** The output formats, in the order of the help text. */
export const reporters: readonly Reporter[] = [textReporter, jsonReporter, sarifReporter, githubReporter];
