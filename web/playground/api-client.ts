import type { ApiAnswer, ApiRequest, PlaygroundFile } from './protocol.js';

/** A server of a topology in a worker. */
export interface WorkerApi {
  /** Sends a request to the server; a path is enough. It starts the server when there is none. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Ends the server. */
  readonly end: () => void;
}

/** The address that the server believes to have; it is the default one in all artifacts. */
export const apiOrigin = 'http://localhost:4000';

/** How long a server may take to start or to answer, in milliseconds. Code that never returns is ended then. */
const patience = 10_000;

/** Creates a server of a topology in a worker of its own, in which the module of resolvers has no network. */
export function createWorkerApi(files: readonly PlaygroundFile[], resolvers?: string): WorkerApi {
  let running: Promise<Connection> | undefined;
  const connection = (): Promise<Connection> => {
    running ??= connect(files, resolvers, () => {
      running = undefined;
    });
    return running;
  };
  return {
    async fetch(input, init) {
      const request = new Request(input instanceof Request ? input : new URL(input, apiOrigin), init);
      // A body can be read once, so it is read before the server starts.
      const body = request.body === null ? undefined : await request.text();
      return (await connection()).send(request, body);
    },
    end: () => void running?.then(({ end }) => end(new Error('The topology has changed.'))).catch(() => {}),
  };
}

interface Connection {
  readonly send: (request: Request, body: string | undefined) => Promise<Response>;
  readonly end: (reason: Error) => void;
}

/** Starts a server. Rejects with its message if it cannot be started. */
async function connect(files: readonly PlaygroundFile[], resolvers: string | undefined, onEnd: () => void) {
  const worker = new Worker(await workerAddress(), { type: 'module' });
  const waiting = new Map<number, (answer: ApiAnswer | Error) => void>();
  let lastId = 0;
  const post = (message: ApiRequest) => worker.postMessage(message);
  const end = (reason: Error): void => {
    worker.terminate();
    onEnd();
    for (const receive of waiting.values()) receive(reason);
    waiting.clear();
  };
  const watch = () =>
    setTimeout(
      () => end(new Error(`The server did not answer within ${patience / 1000} s, so it was stopped.`)),
      patience,
    );
  worker.onmessage = ({ data }: MessageEvent<ApiAnswer>) => waiting.get(data.kind === 'started' ? 0 : data.id)?.(data);
  worker.onerror = ({ message }) => end(new Error(message));

  const timer = watch();
  const started = await new Promise<ApiAnswer | Error>((resolve) => {
    waiting.set(0, resolve);
    post({ kind: 'start', files, ...(resolvers === undefined ? {} : { resolvers }) });
  });
  clearTimeout(timer);
  waiting.delete(0);
  const problem = started instanceof Error ? started.message : 'problem' in started && started.problem;
  if (typeof problem === 'string') {
    end(new Error(problem));
    throw new Error(problem);
  }

  const send = ({ url, method, headers, signal }: Request, body: string | undefined): Promise<Response> => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      const headTimer = watch();
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
      const cancel = () => {
        clearTimeout(headTimer);
        waiting.delete(id);
        post({ kind: 'cancel', id });
        reject(signal.reason);
        stream?.error(signal.reason);
      };
      const finish = () => {
        clearTimeout(headTimer);
        waiting.delete(id);
        signal.removeEventListener('abort', cancel);
      };
      signal.addEventListener('abort', cancel);
      waiting.set(id, (answer) => {
        if (answer instanceof Error || answer.kind === 'failed') {
          finish();
          const error = answer instanceof Error ? answer : new Error(answer.problem);
          reject(error);
          stream?.error(error);
        } else if (answer.kind === 'head') {
          clearTimeout(headTimer);
          const bytes = new ReadableStream<Uint8Array>({
            start(controller) {
              stream = controller;
            },
            cancel() {
              finish();
              post({ kind: 'cancel', id });
            },
          });
          const { status } = answer;
          const hasBody = status !== 204 && status !== 304;
          const pairs = answer.headers.map(([name, value]): [string, string] => [name, value]);
          resolve(new Response(hasBody ? bytes : null, { status, headers: pairs }));
        } else if (answer.kind === 'part') {
          stream?.enqueue(answer.bytes);
        } else {
          finish();
          stream?.close();
        }
      });
      const content = body === undefined ? {} : { body };
      post({ kind: 'request', id, url, method, headers: [...headers], ...content });
    });
  };
  return { send, end };
}

let address: Promise<string> | undefined;

/**
 * The address of the script of the worker, which is loaded once. A worker from a `blob:` address has the policy of the page, so that
 * resolvers cannot reach the network either.
 */
export function workerAddress(): Promise<string> {
  address ??= fetch(new URL('api.js', import.meta.url))
    .then((response) => response.blob())
    .then((script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  address.catch(() => {
    address = undefined;
  });
  return address;
}
