import type { ChangeReporter } from './blocks.js';
import { githubChangeReporter } from './github.js';
import { jsonChangeReporter } from './json.js';
import { markdownChangeReporter } from './markdown.js';
import { sarifChangeReporter } from './sarif.js';
import { textChangeReporter } from './text.js';

/** The registry of formats of changes, in the order in which help lists them. */
export const changeReporters: readonly ChangeReporter[] = [
  textChangeReporter,
  jsonChangeReporter,
  sarifChangeReporter,
  githubChangeReporter,
  markdownChangeReporter,
];
