import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Host } from './hosts.js';

/** What Prism says when a request is none that the document describes. */
const refusals = [
  'UNPROCESSABLE_ENTITY',
  'NO_PATH_MATCHED_ERROR',
  'NO_METHOD_MATCHED_ERROR',
  'INVALID_CONTENT_TYPE',
  'UNAUTHORIZED',
  'invalid_json',
];

/**
 * A host whose REST traffic goes through Prism, which holds it against the OpenAPI document that the host
 * serves. An answer that is not as described fails the test. A request that is not as described Prism refuses;
 * then the host itself has to refuse it too, and what it says of it is what the test gets.
 *
 * @param program - The path of Prism's command line.
 */
export function throughPrism(host: Host, program: string): Host {
  return {
    ...host,
    name: `${host.name}, behind Prism`,
    async start(options) {
      const running = await host.start(options);
      const document = await readDocument(host, options);
      const proxy = await startProxy(program, running.origin, document);
      // Prism takes the first content whose media type ends alike: `json` for that of narrowed answers, too.
      let narrowing: Promise<Proxy> | undefined;
      return {
        ...running,
        async ask(path, init = {}) {
          const isDescribed = path.startsWith('/api/') && ['GET', 'POST'].includes(init.method ?? 'GET');
          if (!isDescribed) return running.ask(path, init);
          // Prism invents an answer where a server says that it has none.
          const before = init.method === 'POST' ? undefined : await running.ask(path, init);
          if (before?.status === 501) return before;
          // Prism reads an answer to its end, and a stream has none.
          if (before?.headers.get('content-type')?.startsWith('text/event-stream') === true) return before;
          if (/[?&]fields=/.test(path)) narrowing ??= startProxy(program, running.origin, turned(document));
          const { origin } = /[?&]fields=/.test(path) ? ((await narrowing) as Proxy) : proxy;
          const answer = await fetch(origin + path, init);
          const said = await answer.clone().text();
          // A body that is no JSON is answered by Prism itself, before it looks at the document.
          const violation =
            /"type":"https:\/\/stoplight\.io\/prism\/errors#(\w+)"/.exec(said)?.[1] ??
            /"code":\s*"(invalid_json)"/.exec(said)?.[1];
          if (violation === undefined) return answer;
          expect(refusals, `${path}: ${said}`).toContain(violation);
          const direct = await running.ask(path, init);
          expect(direct.status, `${path} is not as the document has it: ${said}`).toBeGreaterThanOrEqual(400);
          return direct;
        },
        async close() {
          proxy.close();
          (await narrowing)?.close();
          await running.close();
        },
      };
    },
  };
}

/** The document of a server with these options. In production a server publishes it only on request. */
async function readDocument(host: Host, options: Parameters<Host['start']>[0]): Promise<OpenAPI> {
  const published = await host.start({ ...options, documents: true });
  const document = (await (await published.ask('/openapi.json')).json()) as OpenAPI;
  await published.close();
  return document;
}

interface Proxy {
  readonly origin: string;
  close(): void;
}

interface OpenAPI {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly responses: { readonly 200: { readonly content: object } };
}

/** The same document with the contents of its answers in the other order. */
function turned(document: OpenAPI): OpenAPI {
  const copy = structuredClone(document);
  for (const { responses } of Object.values(copy.paths).flatMap((item) => Object.values(item))) {
    const { content } = responses[200];
    Object.assign(responses[200], { content: Object.fromEntries(Object.entries(content).reverse()) });
  }
  return copy;
}

async function startProxy(program: string, origin: string, document: OpenAPI): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-prism-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const child = spawn(process.execPath, [program, 'proxy', file, origin, '--errors', '--port', '0'], {
    // In production Prism answers from processes of its own, which do not end with it.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  const listening = await new Promise<string>((resolve, reject) => {
    let said = '';
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, found] = /Prism is listening on (http:\S+)\s/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => reject(new Error(said)));
  });
  return {
    origin: listening,
    close() {
      child.kill();
      // Not before: Prism watches the file, and ends when it is gone.
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
