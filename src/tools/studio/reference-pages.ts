import { readFile } from 'node:fs/promises';
import type { Drawing } from '../../analysis/diagram/drawing.js';
import { createSite, type Site } from '../../analysis/site/site.js';
import { printSiteFile } from '../../analysis/site/site-files.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { serverPaths } from '../../compiler/schema/server-paths.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { sendAsset } from './assets.js';
import { type StudioState, studioPaths } from './protocol.js';

/**
 * Answers with the reference pages of the API that is served, which are those of `gg-svc docs`. Each is printed when it
 * is asked for.
 *
 * @param assets - The folder with the script and the style of the pages, and the page for unknown addresses.
 */
export function createReferencePages(assets: URL, read: () => Promise<StudioState>) {
  let made: { schema: GqlSchema; drawing: Drawing | undefined; origin: string; site: Site } | undefined;
  const siteOf = ({ endpoint, api }: StudioState, origin: string): Site => {
    if (api === undefined) throw new ProblemError({ status: 404, detail: 'No API is served yet.' });
    const { schema, drawing, sources } = api;
    if (made?.schema !== schema || made.drawing !== drawing || made.origin !== origin) {
      const source = { title: api.title, schema, sources, addresses: { origin, endpoint } };
      const site = createSite({ ...source, ...(drawing && { drawing }) });
      made = { schema, drawing, origin, site };
    }
    return made.site;
  };
  return async (request: Request, { pathname, origin }: URL) => {
    const name = pathname.slice(studioPaths.reference.length) || 'index.html';
    if (name === 'site.js' || name === 'style.css') return sendAsset(assets, name, request);
    if (documents.includes(`/${name}`)) return new Response(null, { status: 303, headers: { location: `/${name}` } });
    const site = siteOf(await read(), origin);
    const isWritten = name === '404.html';
    const text = isWritten ? await readFile(new URL(name, assets), 'utf8') : printSiteFile(site, name);
    const type = types[/\w+$/.exec(name)?.[0] ?? ''];
    if (text === undefined || type === undefined)
      throw new ProblemError({ status: 404, detail: 'The reference has no such page.' });
    return new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } });
  };
}

/** The API serves its documents itself. */
const { sdl, openapi, collection, asyncapi } = serverPaths;
const documents: readonly string[] = [sdl, openapi, collection, asyncapi];

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  md: 'text/markdown',
  txt: 'text/plain',
};
