import { createHash } from 'node:crypto';
import { pagePolicy } from '../../../compiler/emit/text/page-policy.js';
import { remember } from '../../../compiler/graph/maps.js';
import type { Answer } from '../answer.js';

/**
 * Loads GraphiQL, the page for trying queries; undefined without its npm package. The page is complete, so that the
 * browser loads nothing from a CDN.
 */
export async function loadGraphiQL(): Promise<Render | undefined> {
  try {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    return (options) => remember(pages, JSON.stringify(options ?? {}), () => renderGraphiQL(options));
  } catch {
    return undefined;
  }
}

type Render = typeof import('@graphql-yoga/render-graphiql').renderGraphiQL;

/** The pages that were rendered, by their options. A page has several megabytes, so servers with the same one share it. */
const pages = new Map<string, string>();

/** The policies of the pages that were sent. */
const policies = new Map<string, string>();

/**
 * Adds the headers of a page to an answer with HTML. Only GraphiQL has a policy: a page of the user's own engine plugins may
 * load what it likes.
 */
export function completePage(answer: Answer, html: string): void {
  answer.set('content-type', 'text/html; charset=utf-8');
  if (![...pages.values()].includes(html)) return;
  answer.set(
    'content-security-policy',
    remember(policies, html, () => policyOf(html)),
  );
  answer.set('referrer-policy', 'no-referrer');
  answer.set('x-content-type-options', 'nosniff');
}

/** Allows the inline scripts of the page only. Its editor adds styles and starts workers from texts. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => {
    const parsed = text.replace(/\r\n?/g, '\n');
    return `'sha256-${createHash('sha256').update(parsed).digest('base64')}'`;
  });
  return pagePolicy({
    script: scripts.join(' '),
    style: "'unsafe-inline'",
    img: "'self' data:",
    font: 'data:',
    worker: 'blob:',
    connect: "'self'",
  });
}

/** Escapes a title: the page inserts it unescaped into markup and into a script. */
export function plainTitle(title: string): string {
  return title.replace(/[<>&"'`$\\]/g, '');
}
