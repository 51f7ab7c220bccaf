import { createHash } from 'node:crypto';
import { describeAccess } from '../../../compiler/api/access.js';
import { type Addresses, curlLine } from '../../../compiler/api/curl.js';
import { countOperations, isOfFederation } from '../../../compiler/api/own-operations.js';
import { restRoute } from '../../../compiler/api/rest-routes.js';
import { operationSignature } from '../../../compiler/api/signature.js';
import { hasEvents } from '../../../compiler/emit/asyncapi.js';
import { type Html, html } from '../../../compiler/emit/text/html.js';
import { pagePolicy } from '../../../compiler/emit/text/page-policy.js';
import type { GqlIoBinding, GqlIoOperation, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { studioPages } from '../../../compiler/schema/server-paths.js';
import { edgesOf } from '../../execute/errors/origin.js';
import { pageStyle } from './style.js';

interface PageOptions extends Addresses {
  readonly title: string;
  readonly hasQueryPage: boolean;
  /** Whether the studio is served, with the reference. */
  readonly hasStudio: boolean;
}

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** The headers of the start page. The policy allows no script and no request, so names cannot inject any. */
export const pageHeaders: readonly string[] = [
  'content-security-policy',
  pagePolicy({ style: `'sha256-${styleHash}'`, img: 'data:' }),
  'referrer-policy',
  'no-referrer',
];

/**
 * Renders the start page: every operation with its route, its edge and source line, and a command to call it. The
 * page has no scripts and loads nothing.
 */
export function renderPage(schema: GqlSchema, options: PageOptions): string {
  const { title, endpoint, hasQueryPage, hasStudio } = options;
  const sections = [
    section(
      schema,
      'Queries',
      schema.queries.filter((query) => !isOfFederation(query)),
      options,
    ),
    section(schema, 'Mutations', schema.mutations, options),
    section(schema, 'Subscriptions', schema.subscriptions, options),
    channelTable(schema),
    federationPart(schema, options),
  ];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(iconDocument)}">
<style>${{ html: pageStyle }}</style>
</head>
<body>
<header>
${{ html: icon }}
<h1>${title}</h1>
${
  schema.info?.description === undefined
    ? ''
    : html`<p class="description">${schema.info.description}</p>
`
}<p>${countOf(schema)}</p>
<nav aria-label="Documents">
${hasStudio ? html`<a href="${studioPages.page}">Studio</a> <a href="${studioPages.reference}">Reference</a>` : ''}
${hasQueryPage ? html`<a href="${endpoint}">GraphQL</a>` : ''}
<a href="/openapi.json">OpenAPI</a>
<a href="/collection.json">Postman collection</a>
${
  hasEvents(schema)
    ? html`<a href="/asyncapi.json">AsyncAPI</a>
`
    : ''
}<a href="/schema.graphql">SDL</a>
</nav>
</header>
<main>
${sections}</main>
<footer>Click a command to select it.</footer>
</body>
</html>
`;
  return page.html;
}

function section(schema: GqlSchema, heading: string, operations: readonly GqlOperation[], addresses: Addresses): Html {
  if (operations.length === 0) return html``;
  return html`<section>
<h2>${heading}<span>${operations.length}</span></h2>
${operations.map((operation) => card(schema, operation, addresses))}</section>
`;
}

/** The federation queries, folded: most servers have no records for them. */
function federationPart(schema: GqlSchema, addresses: Addresses): Html {
  const queries = schema.queries.filter(isOfFederation);
  if (queries.length === 0) return html``;
  return html`<details>
<summary>Federation</summary>
${section(schema, 'Federation queries', queries, addresses)}</details>
`;
}

function card(schema: GqlSchema, operation: GqlOperation, addresses: Addresses): Html {
  const { kind, name, description = '' } = operation;
  const { method, path } = restRoute(operation);
  return html`<article class="${kind}" id="${kind}-${name}">
<h3><b>${method}</b><code>${path}</code></h3>
<p class="signature"><code>${operationSignature(schema, operation)}</code></p>
<p class="description">${description}</p>
${accessLine(operation)}<pre tabindex="0"><code>${curlLine(schema, operation, addresses)}</code></pre>
${edgesOf(schema, operation).map(
  ({ edge, source }) => html`<p class="source"><code>${edge}</code><code>${source}</code></p>
`,
)}</article>
`;
}

/** The demands of an operation on its caller; nothing for an operation without any. */
function accessLine({ open: _, ...operation }: GqlOperation): Html {
  const text = describeAccess(operation);
  if (text === undefined) return html``;
  // Every second part is code.
  const parts = text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
  const mark = operation.auth === 'required' ? html`${{ html: lock }} ` : html``;
  return html`<p class="access">${mark}${parts}</p>
`;
}

function countOf(schema: GqlSchema): string {
  const names = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };
  const parts = Object.entries(countOperations(schema)).flatMap(([kind, many]) =>
    many === 0 ? [] : [`${many} ${many === 1 ? kind : names[kind as keyof typeof names]}`],
  );
  return parts.length === 0 ? 'This topology has no operations yet.' : parts.join(' · ');
}

const lock = `<svg viewBox="0 0 16 16" width="13" height="13" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><rect x="2.5" y="7" width="11" height="7.5" rx="1.5"/><path d="M5 7V4.8a3 3 0 0 1 6 0V7"/></svg>`;

const icon = `<svg viewBox="0 0 52 52" fill="none" stroke-width="3" aria-hidden="true">
<path d="M18.4 21.8 33.8 15.1M18.1 28.5 34.4 36.3" stroke="light-dark(#b9bcb4, #4a5261)" stroke-linecap="round"/>
<circle cx="11" cy="25" r="7.5" stroke="light-dark(#0b6b52, #6fd6b4)"/>
<circle cx="41" cy="12" r="7.5" stroke="light-dark(#9a4a06, #f0b072)"/>
<circle cx="41" cy="40" r="7.5" stroke="light-dark(#5a3fb0, #b7a3f5)"/>
</svg>`;

const iconDocument = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 52 52" fill="none" stroke-width="5"><path d="M18.4 21.8 33.8 15.1M18.1 28.5 34.4 36.3" stroke="#8a9099"/><circle cx="11" cy="25" r="7.5" stroke="#1f9d78"/><circle cx="41" cy="12" r="7.5" stroke="#c9701f"/><circle cx="41" cy="40" r="7.5" stroke="#7a5fd0"/></svg>`;

function channelTable({ io = [] }: GqlSchema): Html {
  if (io.length === 0) return html``;
  return html`<section>
<h2>Channels<span>${io.length}</span></h2>
<div class="scroll"><table>
<thead><tr><th scope="col">Node</th><th scope="col">Direction</th><th scope="col">Transport</th><th scope="col">Serves</th></tr></thead>
<tbody>
${io.map(channelRow)}</tbody>
</table></div>
</section>
`;
}

function channelRow({ node, direction, transport, operations }: GqlIoBinding): Html {
  return html`<tr><th scope="row"><code>${node}</code></th><td>${direction}</td><td>${transport}</td><td>${operations.map(channelLink)}</td></tr>
`;
}

function channelLink({ kind, name, access }: GqlIoOperation, index: number): Html {
  return html`${index === 0 ? '' : ', '}<a href="#${kind}-${name}">${access} ${name}</a>`;
}
