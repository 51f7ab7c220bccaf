// Builds the site of the project, one static folder: `npm run site` writes `site/`. Its first page has the playground and
// the tutorial beside it; then come all guides, the sites of the shipped examples, and the reference of the exports.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { escapeHtml } from './colour-code.mjs';
import { readGuides } from './guides.mjs';
import { buildPlayground } from './playground.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The examples that have a site of their own. */
const apis = [
  { title: 'Service', topology: 'service.gg' },
  { title: 'Bookstore', topology: 'bookstore/shop.gg' },
  { title: 'Clinic', topology: 'clinic/clinic.gg' },
  { title: 'Parcel', topology: 'parcel/main.gg' },
  { title: 'Orders', topology: 'orders/orders.gg' },
].map((api) => ({ ...api, folder: `apis/${api.title.toLowerCase()}` }));

/**
 * Writes the site into a folder. It needs the built command line, `dist/`.
 *
 * @param options.exports - Whether the site has the reference of the exports, which needs most of the time. Default: true.
 */
export async function buildSite(out = join(root, 'site'), options = {}) {
  rmSync(out, { recursive: true, force: true });
  const write = (name, text) => {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), text);
  };
  const programs = apis.map(({ title, topology, folder }) => [
    'dist/tools/cli/gg-svc.js',
    ...['docs', `docs/examples/${topology}`, '--no-config', '-o', join(out, folder), '--title', title],
  ]);
  if (options.exports ?? true)
    programs.push(['node_modules/typedoc/bin/typedoc', '--out', join(out, 'exports'), '--logLevel', 'Warn']);
  const [printFrame, guides] = await Promise.all([
    loadFrame(),
    readGuides(),
    buildPlayground(join(out, 'playground')),
    buildScripts(out),
    ...programs.map(run),
  ]);
  const site = sitePages(guides);
  for (const page of site.pages) write(`${page.path}.html`, printFrame(page));
  write('pages.js', `ggPages(${JSON.stringify(site.areas)});\n`);
  mkdirSync(join(out, 'images'));
  for (const image of guides.images) copyFileSync(join(root, image), join(out, 'images', basename(image)));
  copyFileSync(join(root, 'web/site/404.html'), join(out, '404.html'));
  return site;
}

/** The script and the style, which share all modules with those of the sites of APIs. */
async function buildScripts(outdir) {
  const entryPoints = { site: 'web/project/site.ts', style: 'web/project/site.css' };
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2022', logLevel: 'warning' };
  await build({ absWorkingDir: root, entryPoints, outdir, ...options });
}

/** The frame of all pages, that of the sites of APIs. */
async function loadFrame() {
  const entry = 'web/project/frame.ts';
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: [entry], bundle: true, format: 'esm', write: false },
  });
  const { printFrame } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return ({ path, title, html, footer = '' }) => {
    const frame = {
      site: 'gg-svc',
      path,
      title,
      head: { html: '' },
      main: { html },
      footer: { html: footer },
    };
    const text = printFrame(frame);
    // The first page shows the playground.
    return path === 'index' ? text.replace('default-src', "frame-src 'self'; default-src") : text;
  };
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${args.join(' ')} failed:\n${output}`)),
    );
  });
}

/** All pages with their frames, and the areas of the navigation, in the form of `pages.js`. */
function sitePages({ groups, pages, render }) {
  const inFolder = (folder) => pages.filter(({ path }) => path.startsWith(`${folder}/`));
  const areas = groups.map(({ title, folder, text, items }) => {
    const ofItems = items.map(({ source }) => pages.find((page) => page.source === source));
    const further = inFolder(folder).filter((page) => !ofItems.includes(page));
    return { title, path: `${folder}/index`, text, pages: [...ofItems, ...further] };
  });
  areas.at(-1).pages.push({ title: 'Exports', path: 'exports/index', kind: 'reference', summary: exported });
  // From one guide to the next, over the groups.
  const guides = areas.flatMap((area) => area.pages).filter(({ html }) => html !== undefined);
  const [home] = guides;
  for (const [sequence, name] of [
    [guides, 'Guides'],
    [inFolder('diagnostics'), 'Diagnostics'],
  ])
    for (const [at, page] of sequence.entries())
      page.footer ??= neighbours(page, sequence[at - 1], sequence[at + 1], name);
  const examples = { title: 'Examples', path: 'examples/index', pages: inFolder('examples') };
  const others = { title: 'Other files', path: 'files/index', pages: inFolder('files') };
  others.text = 'Files of the repository that these pages link to.';
  const codes = { title: 'Diagnostics by code', path: 'diagnostics/index', pages: inFolder('diagnostics') };
  return {
    pages: [
      { path: 'index', title: 'gg-svc', html: firstPage(render(home.source, 'index', 1).html) },
      ...[...areas, others].map((area) => ({ ...area, html: indexPage(area) })),
      { ...examples, html: examplesPage(examples) },
      ...pages,
    ],
    areas: [
      ...areas.map(listArea),
      listArea(examples),
      listArea({ ...codes, pages: codes.pages.filter(({ path }) => path !== codes.path) }),
      listArea(others),
      ['Playground', 'playground/index'],
    ],
  };
}

const exported = 'The exports of the eight entries of the package.';

const listArea = ({ title, path, pages }) => [title, path, pages.map(listPage)];

function listPage({ title, path, kind, summary, headings = [] }) {
  const sections = headings.filter(({ level }) => level > 1);
  const [first] = headings;
  return [
    title,
    path,
    kind,
    summary ?? first?.said ?? '',
    sections.map(({ id, text, said }) => [text, '', '', said, id]),
  ];
}

/** A link from a page to another one. */
const link = ({ path }, { title, path: to }) =>
  `<a href="${'../'.repeat(path.split('/').length - 1)}${to}.html">${escapeHtml(title)}</a>`;

function neighbours(page, before, after, name) {
  const links = [
    ...(before === undefined ? [] : [`<span>Previous: ${link(page, before)}</span>`]),
    ...(after === undefined ? [] : [`<span>Next: ${link(page, after)}</span>`]),
  ];
  return `<nav class="neighbours" aria-label="${name}: previous and next">${links.join('')}</nav>`;
}

function indexPage(area) {
  const items = area.pages.map((page) => {
    const said = page.summary === undefined ? '' : `: ${escapeHtml(page.summary)}`;
    return `<li>${link(area, page)}${said}</li>\n`;
  });
  return `<h1>${area.title}</h1>\n<p>${plainText(area.text)}</p>\n<ul>\n${items.join('')}</ul>\n`;
}

function examplesPage(page) {
  const sections = apis.map(({ title, topology, folder }) => {
    const sources = page.pages.filter(({ source }) => dirname(source) === dirname(`docs/examples/${topology}`));
    const files = sources.map((source) => `<li>${link(page, source)}</li>`);
    const site = link(page, { title: 'The site of this API', path: `${folder}/index` });
    const text = readFileSync(join(root, 'docs/examples', topology), 'utf8');
    const said = /^\/\/+ (.+(?:\n\/\/+ .+)*)/.exec(text)[1].replaceAll(/\n\/\/+/g, '');
    return `<h2 id="${title.toLowerCase()}"><a href="#${title.toLowerCase()}">${title}</a></h2>\n<p>${escapeHtml(said)}</p>\n<p>${site}, as <code>gg-svc docs</code> writes it.</p>\n<ul>${files.join('')}</ul>\n`;
  });
  return `<h1>Examples</h1>\n<p>The package contains these topologies with all files that they need.</p>\n${sections.join('')}`;
}

function plainText(text) {
  return escapeHtml(text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'));
}

/** One sentence, two commands, and the playground with the tutorial beside it. */
function firstPage(tutorial) {
  return `<h1>gg-svc</h1>
<div class="lead">
<p>${escapeHtml(description)}</p>
<figure data-copy="${commands.join('\n')}"><figcaption>Terminal</figcaption><pre tabindex="0"><code>${commands.map((command) => `$ ${command}`).join('\n')}</code></pre></figure>
</div>
<div class="start">
<section class="tutorial" tabindex="0" aria-label="Tutorial">
${tutorial}</section>
<iframe title="Playground" src="playground/index.html#example=Bookstore"></iframe>
</div>
`;
}

const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [, started] = /^```console\n([\s\S]*?)\n```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'));
const commands = started.replaceAll('$ ', '').split('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await import('./ensure-built.mjs');
  const { pages } = await buildSite();
  console.log(`site: ${pages.length} pages`);
}
