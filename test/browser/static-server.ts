import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

/** Serves a folder below a path, as any web server does; it ends with the test. Gives the address of the folder. */
export async function serveFolder(folder: string, path: string): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const name = pathname.slice(path.length) || 'index.html';
    try {
      if (!pathname.startsWith(path) || name.includes('..')) throw new Error(pathname);
      const content = readFileSync(join(folder, name));
      response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}
