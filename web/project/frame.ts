// The frame of the pages, for `scripts/site.mjs`: the same as that of the sites of APIs.
export { printFrame } from '../../src/analysis/site/print-html.js';
