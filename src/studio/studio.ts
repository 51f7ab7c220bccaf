import { ProblemError } from '../call/problem.js';
import { pagePolicy } from '../emit/text/page-policy.js';
import { responseOf } from '../http/answer.js';
import { problemAnswer } from '../http/problem-answer.js';
import { readStream } from '../read/read-stream.js';
import { applyFix, hasChanged, type TopologyFiles } from './apply-fix.js';
import { sendAsset } from './assets.js';
import { createDrawings } from './drawings.js';
import { requireLocal, requireSameOrigin } from './guard.js';
import { createLayoutThread } from './layout-thread.js';
import { createMessageStream, type MessageStream } from './message-stream.js';
import { type FixRequest, type PublishRequest, studioPaths, type TestRequest } from './protocol.js';
import { Recorder } from './recorder.js';
import { createReferencePages } from './reference-pages.js';
import { saveTest, type TestFiles } from './save-test.js';
import { createSignIn } from './sign-in.js';
import { createTopologyState, type ShownTopology } from './topology-state.js';

/** The studio: a page that shows a topology, and the answers that it asks for. */
export interface Studio {
  /**
   * Answers a request below `/_gg`.
   *
   * @param peer - The IP address of the other end of the connection.
   */
  fetch(request: Request, peer: string | undefined): Promise<Response>;
  /** Shows a topology, with errors or without. */
  show(topology: ShownTopology): void;
  readonly messages: Pick<MessageStream, 'hasPages' | 'send'>;
  /** Records what passes through the servers that are created with it. */
  readonly recorder: Recorder;
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
  /** The folder with the script and the style of the reference pages. */
  readonly siteAssets: URL;
  /** The module of the layout thread. */
  readonly layoutWorker: URL;
  /** The token that pages must know; without one, only this machine may use the studio. */
  readonly token?: string;
  /** The files of the topology, if fixes may be applied to them. */
  readonly files?: TopologyFiles;
  /** The files of tests, if calls may be saved as tests. */
  readonly tests?: TestFiles;
}

/** Answers requests of one method and path; a path that ends with a slash stands for all paths below it, too. */
interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  answer(request: Request, url: URL): Response | Promise<Response>;
}

/** Creates a studio. */
export function createStudio(options: StudioOptions): Studio {
  const { title, endpoint, assets, siteAssets, files, layoutWorker, tests, token } = options;
  const drawings = createDrawings(createLayoutThread(layoutWorker));
  const stateMessage = () => ({ kind: 'state', revision: topology.revision }) as const;
  const messages = createMessageStream(stateMessage, () => recorder.open());
  const recorder = new Recorder((message) => messages.send(message));
  const topology = createTopologyState({ title, endpoint, canWrite: files !== undefined }, drawings, () =>
    messages.send(stateMessage()),
  );
  const signIn = token === undefined ? undefined : createSignIn(token);

  const fix: Route['answer'] = async (request) => {
    if (files === undefined) throw new ProblemError({ status: 403, detail: 'The server watches no files.' });
    const { revision, finding } = (await readJson(request)) as Partial<FixRequest>;
    if (revision !== topology.revision) throw hasChanged(title);
    const { findings, sources } = topology.current;
    await applyFix(findings[finding as number] ?? {}, sources, files);
    return new Response(null, { status: 204 });
  };

  const publish: Route['answer'] = async (request) => {
    const { event } = (await readJson(request)) as Partial<PublishRequest>;
    if (recorder.publishAgain(String(event))) return new Response(null, { status: 204 });
    throw new ProblemError({ status: 409, detail: 'The payload of this event is not kept any more.' });
  };

  const test: Route['answer'] = async (request) => {
    if (tests === undefined) throw new ProblemError({ status: 403, detail: 'The server watches no files.' });
    const { call } = (await readJson(request)) as Partial<TestRequest>;
    const { api } = await topology.read();
    return Response.json(await saveTest(recorder.find(String(call)), api?.schema, tests), { status: 201 });
  };

  const sendState: Route['answer'] = async (_request, { searchParams }) => {
    // Tabs share a stream: one that opens later gets only what is sent from now on.
    if (searchParams.has('opened')) recorder.tellPresent();
    return Response.json(await topology.read());
  };

  const sendPage: Route['answer'] = (request, { pathname }) => {
    const name = pathname.slice(studioPaths.page.length) || 'index.html';
    if (name === 'index.html') topology.prepare();
    return sendAsset(assets, name, request);
  };

  const routes: readonly Route[] = [
    { method: 'GET', path: studioPaths.state, answer: sendState },
    {
      method: 'GET',
      path: studioPaths.drawing,
      answer: async (_request, { searchParams }) =>
        Response.json(await topology.draw(searchParams.get('operation'))),
    },
    { method: 'GET', path: studioPaths.messages, answer: () => messages.open() },
    { method: 'POST', path: studioPaths.fix, answer: fix },
    {
      method: 'GET',
      path: studioPaths.calls,
      answer: (_request, { searchParams }) =>
        Response.json(recorder.callsOf(searchParams.get('coordinate') ?? '')),
    },
    { method: 'POST', path: studioPaths.publish, answer: publish },
    { method: 'POST', path: studioPaths.test, answer: test },
    { method: 'GET', path: studioPaths.reference, answer: createReferencePages(siteAssets, topology.read) },
    { method: 'GET', path: studioPaths.page, answer: sendPage },
    { method: 'GET', path: '/_gg', answer: () => redirect(308, studioPaths.page) },
  ];
  const openRoutes: readonly Route[] =
    signIn === undefined
      ? []
      : [
          { method: 'GET', path: studioPaths.signIn, answer: () => signIn.page() },
          { method: 'POST', path: studioPaths.signIn, answer: signIn.submit },
          { method: 'GET', path: '/_gg/style.css', answer: sendPage },
        ];

  /** @throws {ProblemError} If the request is refused. */
  const answer = async (request: Request, peer: string | undefined): Promise<Response> => {
    const url = new URL(request.url);
    const { pathname } = url;
    if (token === undefined) requireLocal(request, url, peer);
    if (request.method === 'POST' || pathname.startsWith(apiPrefix)) requireSameOrigin(request, url);
    const open = findRoute(openRoutes, request, pathname);
    if (open !== undefined) return open.answer(request, url);
    if (signIn !== undefined && !signIn.isSignedIn(request)) {
      if (!pathname.startsWith(apiPrefix)) return redirect(303, studioPaths.signIn);
      throw new ProblemError({ status: 401, detail: `Sign in at ${studioPaths.signIn} first.` });
    }
    const found = findRoute(routes, request, pathname);
    if (found === undefined) throw new ProblemError({ status: 404, detail: 'The studio has no such page.' });
    return found.answer(request, url);
  };

  return {
    async fetch(request, peer) {
      const response = await answer(request, peer).catch((error: unknown) => {
        if (error instanceof ProblemError) return responseOf(problemAnswer(error.problem));
        throw error;
      });
      const { headers } = response;
      for (const [name, value] of Object.entries(policies)) headers.set(name, value);
      if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
      if (request.method !== 'HEAD') return response;
      await response.body?.cancel();
      return new Response(null, response);
    },
    show: topology.show,
    messages,
    recorder,
    close() {
      messages.close();
      drawings.cancel();
    },
  };
}

const apiPrefix = '/_gg/api/';

/** The largest body of a request, in bytes. */
const maxBody = 1024 * 1024;

/** The page runs its own files only, so names in a topology cannot inject anything. No other page may embed it. */
const policies: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy({
    script: "'self'",
    style: "'self'",
    img: "'self' data:",
    connect: "'self'",
    form: "'self'",
  }),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Finds the route of a request: the one with the longest path.
 *
 * @throws {ProblemError} If the path has no route for the method.
 */
function findRoute(routes: readonly Route[], { method }: Request, pathname: string): Route | undefined {
  const isBelow = (path: string) => path.endsWith('/') && pathname.startsWith(path);
  const candidates = routes.filter(({ path }) => path === pathname || isBelow(path));
  const longest = Math.max(...candidates.map(({ path }) => path.length));
  const nearest = candidates.filter(({ path }) => path.length === longest);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = nearest.find((route) => route.method === wanted);
  if (found !== undefined || nearest.length === 0) return found;
  const allow = nearest.map((route) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
  const detail = `${pathname} does not take ${method}.`;
  throw new ProblemError({ status: 405, detail, headers: ['allow', allow] });
}

function redirect(status: 303 | 308, location: string): Response {
  return new Response(null, { status, headers: { location } });
}

/** @throws {ProblemError} If the body is no JSON object, or too large. */
async function readJson(request: Request): Promise<object> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ProblemError({ status: 415, detail: 'The body must be JSON.' });
  const reading = await readStream(request.body, maxBody);
  if (!reading.ok) {
    throw new ProblemError({ status: 413, detail: `The body must have at most ${maxBody} bytes.` });
  }
  let value: unknown;
  try {
    value = JSON.parse(reading.bytes.toString());
  } catch {
    // Falls through to the problem of a value that is no object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ProblemError({ status: 400, detail: 'The body must be a JSON object.' });
}
