// Measures which functions of `src` one request enters, and in which order.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { withProgramFolder } from '../test/programs/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = join(root, 'docs/examples/service.gg');

/**
 * The files of `src` that a warm request enters, in the order of their first function.
 *
 * @param request - `compile`, or the method, the path and the body of a request: `POST /api/saveUser {"input":{}}`.
 * @param follow - A subscription that waits for an event of the request.
 */
export function measureWalk(request, follow) {
  return withProgramFolder('walk', async (folder) => {
    const file = join(folder, 'library.mjs');
    bundle ??= bundleLibrary();
    writeFileSync(file, await bundle);
    const library = await import(pathToFileURL(file).href);
    if (request !== 'compile') return measureRequest(library, request, follow);
    const source = readFileSync(example, 'utf8');
    library.compile(source);
    return record(() => library.compile(source));
  });
}

/** The text of the library, which records its calls. Each walk loads it anew, from a file of its own. */
let bundle;

async function bundleLibrary() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/index.ts'],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [recordCalls()],
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

async function measureRequest({ createBetaHttpServer, createGqlServer }, request, follow) {
  const { default: resolvers } = await import('../docs/examples/service.resolvers.mjs');
  const server = createGqlServer({ topologies: [example], resolvers });
  const host = createBetaHttpServer(server);
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${host.address().port}`;
  const [, method, path, body] = /^(\S+) (\S+)(?: (.*))?$/s.exec(request);
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const send = () => fetch(origin + path, { method, body, headers }).then((answer) => answer.text());
  const leave = new AbortController();
  try {
    if (follow === undefined) {
      for (let sent = 0; sent < 3; sent++) await send();
      return await record(send);
    }
    const accept = { Accept: 'text/event-stream' };
    const stream = await fetch(`${origin}/api/${follow}`, { headers: accept, signal: leave.signal });
    const events = eventsOf(stream.body);
    const sendAndReceive = async () => {
      await send();
      await events.next();
    };
    await sendAndReceive();
    return await record(sendAndReceive);
  } finally {
    leave.abort();
    host.closeAllConnections();
    host.close();
    await server.close();
  }
}

async function* eventsOf(stream) {
  let text = '';
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n');
    text = events.pop();
    for (const event of events) if (/^data: ?\S/m.test(event)) yield event;
  }
}

async function record(act) {
  const files = new Map();
  globalThis.recordCall = (file, name) => {
    const entry = files.get(file) ?? { file, calls: 0, functions: new Set() };
    entry.calls += 1;
    entry.functions.add(name);
    files.set(file, entry);
  };
  try {
    await act();
  } finally {
    delete globalThis.recordCall;
  }
  return [...files.values()];
}

/** Lets each function of `src` report its file and its name when it is called. */
function recordCalls() {
  return {
    name: 'record-calls',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: withRecords(path, readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
}

function withRecords(path, text) {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const file = relative(join(root, 'src'), path);
  const insertions = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const { name = node.parent.name } = node;
      const call = `globalThis.recordCall?.(${JSON.stringify(file)}, ${JSON.stringify(name?.getText() ?? '…')})`;
      if (ts.isBlock(node.body)) insertions.push([node.body.getStart() + 1, `${call};`]);
      else insertions.push([node.body.getStart(), `(${call}, `], [node.body.getEnd(), ')']);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  // Stable, and from the end: an inner arrow function can begin or end where the outer one does.
  let made = text;
  for (const [at, inserted] of insertions.toSorted(([one], [other]) => other - one)) {
    made = made.slice(0, at) + inserted + made.slice(at);
  }
  return made;
}
