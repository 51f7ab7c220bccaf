import { createHash } from 'node:crypto';
import { exampleDocument } from '../../../compiler/api/example-document.js';
import { isOfFederation } from '../../../compiler/api/own-operations.js';
import { pagePolicy } from '../../../compiler/emit/text/page-policy.js';
import { remember } from '../../../compiler/graph/maps.js';
import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { LruMap } from '../../limits/lru-map.js';
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

const maxTabs = 30;

/**
 * The title of the page, and a tab for each operation with the example values of its arguments. The page inserts the title
 * into markup, and all of it into a script.
 */
export function pageContent(title: string, schema: GqlSchema) {
  const operations = allOperations(schema).filter((operation) => !isOfFederation(operation));
  const inScript = (text: string) => text.replaceAll('<', '\\u003c');
  const defaultTabs = operations.slice(0, maxTabs).map((operation) => {
    const { query, variables } = exampleDocument(schema, operation);
    const isEmpty = Object.keys(variables).length === 0;
    return {
      query: inScript(query),
      ...(!isEmpty && { variables: inScript(JSON.stringify(variables, null, 2)) }),
    };
  });
  return {
    title: title.replace(/[<>&"'`$\\]/g, ''),
    ...(defaultTabs.length > 0 && { defaultTabs }),
  };
}

/** The last pages that were rendered, by their options. A page has several megabytes, so servers with the same one share it. */
const pages = new LruMap<string, string>(4);

/** The policies of the last pages that were sent. */
const policies = new LruMap<string, string>(4);

/**
 * Adds the headers of a page to an answer with HTML. Only GraphiQL has a policy: a page of the user's own engine plugins may
 * load what it likes.
 */
export function completePage(answer: Answer, html: string): void {
  answer.set('content-type', 'text/html; charset=utf-8');
  if (!html.includes('YogaGraphiQL.renderYogaGraphiQL(')) return;
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
