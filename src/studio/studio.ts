import { readFile } from 'node:fs/promises';
import type { Analysis } from '../analyze.js';
import { createDiagram } from '../diagram/diagram.js';
import { drawDiagram } from '../diagram/drawing.js';
import { lowerGraph } from '../graph/lower/lower.js';
import { lineMapOf } from '../source/source-file.js';
import { type StudioApi, type StudioMessage, type StudioState, studioPaths } from './protocol.js';

/** The studio: a page that shows a topology, and the answers that it asks for. */
export interface Studio {
  /** Answers a request below `/_gg`. */
  fetch(request: Request): Promise<Response>;
  /** Shows a topology, with errors or without. */
  show(topology: Analysis): Promise<void>;
  /** Ends the streams of all pages. */
  close(): void;
}

/** The options of a studio. */
export interface StudioOptions {
  readonly title: string;
  /** The path of GraphQL. */
  readonly endpoint: string;
  /** The folder with the built page. */
  readonly assets: URL;
}

/** Creates a studio. */
export function createStudio({ title, endpoint, assets }: StudioOptions): Studio {
  let state: StudioState = { revision: 0, title, endpoint, sources: [], findings: [], changes: [] };
  const pages = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const send = (message: StudioMessage): void => {
    const bytes = encoder.encode(`data: ${JSON.stringify(message)}\n\n`);
    for (const page of pages) page.enqueue(bytes);
  };
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      switch (pathname) {
        case studioPaths.state:
          return Response.json(state);
        case studioPaths.messages: {
          let own: ReadableStreamDefaultController<Uint8Array>;
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              own = controller;
              pages.add(own);
              own.enqueue(encoder.encode(': connected\n\n'));
            },
            cancel: () => void pages.delete(own),
          });
          return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
        }
        default:
          return sendAsset(pathname, assets);
      }
    },
    async show(topology) {
      const { sources, diagnostics, schema } = topology;
      const isBroken = diagnostics.some(({ severity }) => severity === 'error');
      const api = isBroken ? state.api : await draw(topology);
      state = {
        ...state,
        revision: state.revision + 1,
        sources: sources.map(({ name, text }) => ({ name, text })),
        findings: diagnostics,
        ...(api === undefined ? {} : { api }),
      };
      void schema;
      send({ kind: 'state', revision: state.revision });
    },
    close() {
      for (const page of pages) page.close();
      pages.clear();
    },
  };
}

async function draw({ ast, schema, sources }: Analysis): Promise<StudioApi> {
  const { instance } = await import('@viz-js/viz');
  const diagram = createDiagram(lowerGraph(ast).value, schema);
  if (diagram === undefined) throw new Error('invariant: a whole topology has a diagram');
  return {
    schema,
    drawing: drawDiagram(diagram, sources.map(lineMapOf), await instance()),
    sources: sources.map(({ name, text }) => ({ name, text })),
    answeredBy: {},
  };
}

const assetTypes: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'studio.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
};

/** The page runs its own files only, so names in a topology cannot inject anything. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async function sendAsset(path: string, assets: URL): Promise<Response> {
  if (path === '/_gg') return new Response(null, { status: 308, headers: { location: studioPaths.page } });
  const name = path === studioPaths.page ? 'index.html' : path.slice(studioPaths.page.length);
  const type = Object.hasOwn(assetTypes, name) ? assetTypes[name] : undefined;
  if (type === undefined) return new Response(`There is nothing at ${path}.\n`, { status: 404 });
  const headers = {
    'content-type': type,
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return new Response(await readFile(new URL(name, assets)), { headers });
}
