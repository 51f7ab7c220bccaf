import { printGithub } from './github.js';
import { printJson } from './json.js';
import { printMarkdown } from './markdown.js';
import { printSarif } from './sarif.js';
import { printText } from './text.js';

/** The formats of changes, in the order in which help lists them. */
export const changeReporters = {
  text: printText,
  json: printJson,
  sarif: printSarif,
  github: printGithub,
  markdown: printMarkdown,
} as const;
