import { ApiError } from './api-error.js';
import { type Followed, type FollowOptions, follow } from './follow.js';
import { type AnyArguments, type ClientOptions, type RequestOptions, readAnswer, send } from './send.js';

/**
 * Creates a client of an API.
 *
 * @param origin - Where the API is: `https://api.example`, with the path that it is mounted below.
 *
 * @example
 * ```ts
 * import { createClient } from 'gg-svc/client';
 *
 * interface Paths {
 *   readonly '/api/readUser': {
 *     readonly get: { readonly parameters: { readonly id: string }; readonly answer: { readonly name: string } | null };
 *   };
 * }
 * // Usually: import type { Rest } from './service.types.js', and createClient<Rest.Paths, Rest.Streams>(…)
 * const api = createClient<Paths>('http://localhost:4000');
 * const user = await api.get('/api/readUser', { parameters: { id: '1' } });
 * console.log(user?.name);
 * ```
 */
export function createClient<Paths extends object, Streams extends object = Nothing>(
  origin: string,
  options: ClientOptions = {},
): Client<Paths, Streams> {
  const call = (method: Method) => async (path: string, given?: AnyArguments) => {
    const response = await send(origin, options, method.toUpperCase(), path, given);
    return readAnswer(response);
  };
  const client = {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    pages: (path: string, given?: AnyArguments) => pagesOf(origin, options, path, given),
    follow: (path: string, given?: AnyArguments & FollowOptions) => follow(origin, options, path, given),
    isProblem: (error: unknown, code: string) => error instanceof ApiError && error.problem.code === code,
  };
  return client as unknown as Client<Paths, Streams>;
}

/** The methods of routes. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Readonly<Record<M, unknown>> ? Path : never;
}[keyof Paths] &
  string;

/** The route of a method and a path. */
export type RouteOf<Paths, M extends Method, Path extends keyof Paths> =
  Paths[Path] extends Readonly<Record<M, infer Route>> ? Route : never;

/** An object without required members: every such object extends it. */
export type Nothing = Record<never, never>;

/** Where arguments stand. */
export type Places = 'path' | 'parameters' | 'headers' | 'body' | 'form';

/** The arguments of a route; places that require nothing may be left out. */
export type ArgumentsOf<Route> = {
  readonly [Place in Extract<keyof Route, Places> as Nothing extends Route[Place] ? never : Place]: Route[Place];
} & {
  readonly [Place in Extract<keyof Route, Places> as Nothing extends Route[Place] ? Place : never]?: Route[Place];
};

/** The arguments of a call: one object, which may be left out if it requires nothing. */
export type Given<Arguments, Options> = Nothing extends Arguments
  ? [given?: Arguments & Options]
  : [given: Arguments & Options];

/** The answer of a route. */
export type AnswerOf<Route> = Route extends { readonly answer: infer Answer } ? Answer : never;

/** The calls of a method. */
export type Call<Paths, M extends Method> = <Path extends PathsWith<Paths, M>>(
  path: Path,
  ...given: Given<ArgumentsOf<RouteOf<Paths, M, Path>>, RequestOptions>
) => Promise<AnswerOf<RouteOf<Paths, M, Path>>>;

/** The declared errors of all routes. */
export type ProblemsOf<Paths> = {
  [Path in keyof Paths]: {
    [M in keyof Paths[Path]]: Paths[Path][M] extends { readonly problem: infer Details } ? Details : never;
  }[keyof Paths[Path]];
}[keyof Paths];

/** The codes of declared errors. */
export type CodesOf<Details> = Details extends { readonly code: infer Code extends string } ? Code : never;

/** The streams of events, and the progress of runs. */
export type StreamsOf<Paths, Streams> = Streams & {
  readonly [Path in Extract<keyof Paths, '/api/runs/{id}'>]: Pick<
    RouteOf<Paths, 'get', Path> & {},
    Extract<keyof RouteOf<Paths, 'get', Path>, 'path'>
  > & { readonly event: AnswerOf<RouteOf<Paths, 'get', Path>> };
};

/** The data of the events of a stream. */
export type EventOf<Stream> = Stream extends { readonly event: infer Event } ? Event : never;

/**
 * A client of one API. Its methods reject with an `ApiError` if the answer is a problem, and with the error of `fetch` if
 * the server does not answer.
 */
export interface Client<Paths, Streams> {
  readonly get: Call<Paths, 'get'>;
  readonly post: Call<Paths, 'post'>;
  readonly put: Call<Paths, 'put'>;
  readonly patch: Call<Paths, 'patch'>;
  readonly delete: Call<Paths, 'delete'>;
  /** The pages of a list, one after the other, by the links of the answers. */
  readonly pages: <Path extends PathsWith<Paths, 'get'>>(
    path: Path,
    ...given: Given<ArgumentsOf<RouteOf<Paths, 'get', Path>>, RequestOptions>
  ) => AsyncGenerator<AnswerOf<RouteOf<Paths, 'get', Path>>, void, undefined>;
  /**
   * The events of a stream. After a lost connection it continues behind the last event. It ends with its signal, when
   * the server completes it, and with an error that a repeat would meet again.
   */
  readonly follow: <Path extends keyof StreamsOf<Paths, Streams> & string>(
    path: Path,
    ...given: Given<ArgumentsOf<StreamsOf<Paths, Streams>[Path]>, FollowOptions>
  ) => AsyncGenerator<Followed<EventOf<StreamsOf<Paths, Streams>[Path]>>, void, undefined>;
  /** Whether an error is an answer with a declared error. */
  readonly isProblem: <Code extends CodesOf<ProblemsOf<Paths>>>(
    error: unknown,
    code: Code,
  ) => error is ApiError<Extract<ProblemsOf<Paths>, { readonly code: Code }>>;
}

async function* pagesOf(
  origin: string,
  options: ClientOptions,
  path: string,
  given: AnyArguments = {},
): AsyncGenerator<unknown, void, undefined> {
  let parameters = given.parameters;
  for (;;) {
    const response = await send(origin, options, 'GET', path, { ...given, ...(parameters && { parameters }) });
    yield await readAnswer(response);
    const next = /<\?([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) return;
    const names = new URLSearchParams(next);
    parameters = Object.fromEntries([...names.keys()].map((name) => [name, names.getAll(name)]));
  }
}
