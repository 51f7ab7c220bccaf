import { createHash } from 'node:crypto';
import { pagePolicy } from '../../emit/text/page-policy.js';
import type { Answer } from '../answer.js';

/**
 * Loads GraphiQL, the page for trying queries; undefined without its npm package. The page is complete, so that the
 * browser loads nothing from a CDN.
 */
export async function loadGraphiQL(): Promise<Render | undefined> {
  try {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    return (options) => {
      const html = renderGraphiQL(options);
      if (!pages.has(html)) {
        if (pages.size >= maxPages) pages.clear();
        pages.set(html, undefined);
      }
      return html;
    };
  } catch {
    return undefined;
  }
}

type Render = typeof import('@graphql-yoga/render-graphiql').renderGraphiQL;

/** The pages that this package has rendered, with their policies: one for each server of the process. */
const pages = new Map<string, string | undefined>();
const maxPages = 10;

/**
 * Adds the headers of a page to an answer with HTML. Only GraphiQL has a policy: a page of the user's own engine plugins may
 * load what it likes.
 */
export function completePage(answer: Answer, html: string): void {
  answer.set('content-type', 'text/html; charset=utf-8');
  if (!pages.has(html)) return;
  const policy = pages.get(html) ?? policyOf(html);
  pages.set(html, policy);
  answer.set('content-security-policy', policy);
  answer.set('referrer-policy', 'no-referrer');
  answer.set('x-content-type-options', 'nosniff');
}

/**
 * The page runs its inline scripts only, which names in a schema cannot become a part of. Its editor adds styles and
 * starts workers from texts.
 */
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
