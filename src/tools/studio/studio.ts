import { readStream } from '../../base/read/read-stream.js';
import { pagePolicy } from '../../compiler/emit/text/page-policy.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { problemAnswer, responseOf } from '../../runtime/http/answer.js';
import { isForeign } from '../../runtime/http/csrf.js';
import { isLocalName, isLoopback } from '../../runtime/traffic/forwarded.js';
import { applyFix, hasChanged, type TopologyFiles } from './apply-fix.js';
import { sendAsset } from './assets.js';
import { Drawings } from './drawings.js';
import { LayoutThread } from './layout-thread.js';
import { MessageStream } from './message-stream.js';
import { type FixRequest, type PublishRequest, type ReplayRequest, studioPaths, type TestRequest } from './protocol.js';
import { Recorder } from './recorder.js';
import { createReferencePages } from './reference-pages.js';
import { saveTest, type TestFiles } from './save-test.js';
import { SignIn } from './sign-in.js';
import { type ShownTopology, TopologyState } from './topology-state.js';
import { type VersionSource, Versions } from './versions.js';

export interface StudioOptions {
  /** The names of the files of the topology. */
  readonly title: string;
  /** The title of the API, if the command gives it one. */
  readonly apiTitle?: string | undefined;
  readonly endpoint: string;
  readonly assets: URL;
  /** The folder with the script and the style of the reference pages. */
  readonly siteAssets: URL;
  readonly layoutWorker: URL;
  /** The token that pages must know; without one, only this machine may use the studio. */
  readonly token?: string;
  /** The files of the topology, if fixes may be applied to them. */
  readonly files?: TopologyFiles;
  /** The files of tests, if calls may be saved as tests. */
  readonly tests?: TestFiles;
  /** The commits of the topology, and servers of its versions, if calls may be replayed. */
  readonly versions?: VersionSource;
}

/** Answers a request, or throws a {@link ProblemError}. */
type Answerer = (request: Request, url: URL) => Response | Promise<Response>;

/** By method and path; a path that ends with a slash stands for all paths below it, too. */
type Routes = Readonly<Record<string, Answerer>>;

/** The studio: a page that shows a topology, and the answers that it asks for. */
export class Studio {
  readonly messages = new MessageStream(
    () => this.#stateMessage(),
    () => this.recorder.open(),
  );
  /** Records the calls and events of the servers that are created with it. */
  readonly recorder = new Recorder((message) => this.messages.send(message));
  readonly #drawings: Drawings;
  readonly #topology: TopologyState;
  readonly #versions: Versions;
  readonly #signIn: SignIn | undefined;
  readonly #routes: Routes;
  /** The routes for pages that have not signed in. */
  readonly #openRoutes: Routes;

  constructor(private readonly options: StudioOptions) {
    const { title, endpoint, assets, files, layoutWorker, siteAssets, token } = options;
    this.#drawings = new Drawings(new LayoutThread(layoutWorker));
    const fixed = { title, endpoint, canWrite: files !== undefined };
    this.#topology = new TopologyState(fixed, options.apiTitle, this.#drawings, () =>
      this.messages.send(this.#stateMessage()),
    );
    this.#versions = new Versions(options.versions);
    const signIn = token === undefined ? undefined : new SignIn(token, assets);
    this.#signIn = signIn;
    const sendPage: Answerer = (request, { pathname }) => this.#sendPage(request, pathname);
    this.#routes = {
      [`GET ${studioPaths.state}`]: async (_, { searchParams }) => {
        // Tabs share a stream: one that opens later gets only what is sent from now on.
        if (searchParams.has('opened')) this.recorder.tellPresent();
        return Response.json(await this.#topology.read());
      },
      [`GET ${studioPaths.drawing}`]: async (_, { searchParams }) => {
        const version = searchParams.get('version');
        const shown = version === null ? undefined : await this.#versions.read(version);
        const [operation, opened] = [searchParams.get('operation'), searchParams.getAll('open')];
        return Response.json(await this.#topology.draw(operation, opened, shown));
      },
      [`GET ${studioPaths.versions}`]: async () => Response.json(await this.#versions.list()),
      [`GET ${studioPaths.version}`]: async (_, { searchParams }) =>
        Response.json(await this.#versions.open(searchParams.get('id') ?? '')),
      [`POST ${studioPaths.replay}`]: (request) => this.#replay(request),
      [`GET ${studioPaths.messages}`]: () => this.messages.open(),
      [`POST ${studioPaths.fix}`]: (request) => this.#fix(request),
      [`GET ${studioPaths.calls}`]: (_, { searchParams }) =>
        Response.json(this.recorder.callsOf(searchParams.get('coordinate') ?? '')),
      [`POST ${studioPaths.publish}`]: (request) => this.#publish(request),
      [`POST ${studioPaths.test}`]: (request) => this.#saveTest(request),
      [`GET ${studioPaths.reference}`]: createReferencePages(siteAssets, () => this.#topology.read()),
      [`GET ${studioPaths.page}`]: sendPage,
      'GET /_gg': () => redirect(308, studioPaths.page),
    };
    this.#openRoutes = signIn
      ? {
          [`GET ${studioPaths.signIn}`]: () => signIn.page(200),
          [`POST ${studioPaths.signIn}`]: (request, url) => signIn.submit(request, url),
          'GET /_gg/style.css': sendPage,
        }
      : {};
  }

  /** Answers a request below `/_gg`. @param peer - The IP address of the other end of the connection. */
  async fetch(request: Request, peer: string | undefined): Promise<Response> {
    const response = await this.#answer(request, peer).catch((error: unknown) => {
      if (error instanceof ProblemError) return responseOf(problemAnswer(error.problem));
      throw error;
    });
    const { headers } = response;
    for (const [name, value] of Object.entries(policies)) headers.set(name, value);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    if (request.method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  }

  show(topology: ShownTopology): void {
    if (topology.served !== undefined) this.#versions.add(topology.analysis);
    this.#topology.show(topology);
  }

  close(): void {
    this.messages.close();
    this.#drawings.cancel();
  }

  /** @throws {ProblemError} If the request is refused. */
  async #answer(request: Request, peer: string | undefined): Promise<Response> {
    const url = new URL(request.url);
    const { pathname } = url;
    if (this.#signIn === undefined) requireLocal(request, url, peer);
    if (request.method === 'POST' || pathname.startsWith(apiPrefix)) requireSameOrigin(request, url);
    const open = findRoute(this.#openRoutes, request, pathname);
    if (open !== undefined) return open(request, url);
    if (this.#signIn?.isSignedIn(request) === false) {
      if (!pathname.startsWith(apiPrefix)) return redirect(303, studioPaths.signIn);
      throw new ProblemError({ status: 401, detail: `Sign in at ${studioPaths.signIn} first.` });
    }
    const found = findRoute(this.#routes, request, pathname);
    if (found === undefined) throw new ProblemError({ status: 404, detail: 'The studio has no such page.' });
    return found(request, url);
  }

  async #fix(request: Request): Promise<Response> {
    const { files, title } = this.options;
    if (files === undefined) throw watchesNoFiles();
    const { revision, finding } = (await readJson(request)) as Partial<FixRequest>;
    if (revision !== this.#topology.revision) throw hasChanged(title);
    const { findings, sources } = this.#topology.current;
    await applyFix(findings[finding as number] ?? {}, sources, files);
    return new Response(null, { status: 204 });
  }

  async #publish(request: Request): Promise<Response> {
    const { event } = (await readJson(request)) as Partial<PublishRequest>;
    if (this.recorder.publishAgain(String(event))) return new Response(null, { status: 204 });
    throw new ProblemError({ status: 409, detail: 'The payload of this event is not kept any more.' });
  }

  async #saveTest(request: Request): Promise<Response> {
    const { tests } = this.options;
    if (tests === undefined) throw watchesNoFiles();
    const { call } = (await readJson(request)) as Partial<TestRequest>;
    const { api } = await this.#topology.read();
    const saved = await saveTest(this.recorder.find(String(call)), api?.schema, tests);
    return Response.json(saved, { status: 201 });
  }

  async #replay(request: Request): Promise<Response> {
    const given: Partial<ReplayRequest> = await readJson(request);
    const { api, endpoint } = await this.#topology.read();
    if (api === undefined) throw new ProblemError({ status: 404, detail: 'No API is served yet.' });
    const served = { endpoint, schema: api.schema };
    return Response.json(await this.#versions.replay(given, this.recorder.allCalls(), served));
  }

  #sendPage(request: Request, pathname: string): Promise<Response> {
    const name = pathname.slice(studioPaths.page.length) || 'index.html';
    if (name === 'index.html') this.#topology.prepare();
    return sendAsset(this.options.assets, name, request);
  }

  #stateMessage() {
    return { kind: 'state', revision: this.#topology.revision } as const;
  }
}

function watchesNoFiles(): ProblemError {
  return new ProblemError({ status: 403, detail: 'The server watches no files.' });
}

const apiPrefix = '/_gg/api/';

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

/** The route of a request, with the longest path. @throws {ProblemError} If the path has none for the method. */
function findRoute(routes: Routes, { method }: Request, pathname: string): Answerer | undefined {
  const paths = Object.keys(routes).map((route) => route.replace(/^\w+ /, ''));
  const fitting = paths.filter((path) => path === pathname || (path.endsWith('/') && pathname.startsWith(path)));
  const [nearest] = fitting.sort((one, other) => other.length - one.length);
  if (nearest === undefined) return undefined;
  const found = routes[`${method === 'HEAD' ? 'GET' : method} ${nearest}`];
  if (found !== undefined) return found;
  const allow = [`GET ${nearest}` in routes && 'GET, HEAD', `POST ${nearest}` in routes && 'POST'];
  const headers = ['allow', allow.filter(Boolean).join(', ')];
  throw new ProblemError({ status: 405, detail: `${pathname} does not take ${method}.`, headers });
}

const tokenVariable = 'GG_SVC_STUDIO_TOKEN';

/**
 * Refuses requests that do not come from this machine. DNS rebinding makes the name of another site an address of this
 * machine, so the name must be one of this machine, too. A proxy on this machine may pass on requests from anywhere.
 *
 * @throws {ProblemError} If the request is refused.
 */
function requireLocal(request: Request, { hostname }: URL, peer: string | undefined): void {
  const isProxied = proxyHeaders.some((name) => request.headers.has(name));
  if (isLoopback(peer) && isLocalName(hostname) && !isProxied) return;
  throw new ProblemError({
    status: 403,
    detail: `The studio is for this machine only: open it at localhost. To use it from elsewhere, set ${tokenVariable}.`,
  });
}

/** Refuses requests that a page of another origin has sent. @throws {ProblemError} If the request is refused. */
function requireSameOrigin({ headers }: Request, { host, protocol }: URL): void {
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const header = (name: string) => headers.get(name) ?? undefined;
  if (!isForeign({ header, forwarded: { address: undefined, host, scheme } })) return;
  throw new ProblemError({ status: 403, detail: 'Only the page of the studio may send this request.' });
}

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

function redirect(status: 303 | 308, location: string): Response {
  return new Response(null, { status, headers: { location } });
}

/** @throws {ProblemError} If the body is not a JSON object, or too large. */
async function readJson(request: Request): Promise<object> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ProblemError({ status: 415, detail: 'The body must be JSON.' });
  const reading = await readStream(request.body, maxBody);
  if (!reading.ok) throw new ProblemError({ status: 413, detail: `The body must have at most ${maxBody} bytes.` });
  let value: unknown;
  try {
    value = JSON.parse(reading.bytes.toString());
  } catch {
    // Falls through to the problem of a value that is not an object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ProblemError({ status: 400, detail: 'The body must be a JSON object.' });
}
