// What the compiler, the language server and the API server import from Node.js, for a worker of a browser: the build
// of the playground puts this module in the place of every `node:` module. A worker has no files, packages or sockets,
// so what reaches for them throws. The build fails for a name that is missing here.

import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';

// node:url
export const fileURLToPath = (url: string | URL) => decodeURIComponent(new URL(url).pathname);
export const pathToFileURL = (path: string) => new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`);

// node:path
export const join = (...parts: readonly string[]) => parts.join('/');
export const resolve = (...parts: readonly string[]) =>
  parts.reduce((path, part) => (part.startsWith('/') ? part : `${path}/${part}`));
export const sep = '/';
export const isAbsolute = (path: string) => path.startsWith('/');
/** Paths of the worker are absolute and have no `..`. */
export const relative = (from: string, to: string) =>
  to === from ? '' : to.startsWith(`${from}/`) ? to.slice(from.length + 1) : `../${to}`;
export const basename = (path: string) => path.slice(path.lastIndexOf('/') + 1);
export const dirname = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

// node:timers/promises
const pause = (milliseconds = 0) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

export { pause as setImmediate, pause as setTimeout };

// node:buffer
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

// node:util
/** Scripts cannot recognize proxies; a value that is one is read as what it pretends to be. */
export const types = { isProxy: () => false };
export const getSystemErrorMap = () => new Map<number, [string, string]>();

// node:http
export const STATUS_CODES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

// node:crypto
export const randomBytes = (length: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
export const randomUUID = () => crypto.randomUUID();
export const randomFillSync = <Bytes extends Uint8Array<ArrayBuffer>>(bytes: Bytes) => crypto.getRandomValues(bytes);

/** SHA-256 alone. */
export function createHash() {
  const sum = sha256.create();
  const hash = {
    update(part: string | Uint8Array) {
      sum.update(typeof part === 'string' ? Buffer.from(part) : part);
      return hash;
    },
    digest: (encoding?: 'base64' | 'base64url' | 'hex') => {
      const bytes = Buffer.from(sum.digest());
      return encoding === undefined ? bytes : bytes.toString(encoding);
    },
  };
  return hash;
}

// node:net: requests in the worker have no addresses
export const isIP = () => 0;
export const isIPv4 = () => false;
export const isIPv6 = () => false;

function unavailable(): never {
  throw new Error('The playground has no files, packages, keys or sockets.');
}

// node:stream: the playground sends no files
export const Readable = { from: unavailable, fromWeb: unavailable };

// node:fs, node:fs/promises, node:module, and the rest of node:net and node:crypto
export const existsSync = () => false;
export const constants = {};
export {
  unavailable as BlockList,
  unavailable as closeSync,
  unavailable as createPrivateKey,
  unavailable as createPublicKey,
  unavailable as createRequire,
  unavailable as fstatSync,
  unavailable as generateKeyPairSync,
  unavailable as hash,
  unavailable as mkdirSync,
  unavailable as open,
  unavailable as openSync,
  unavailable as readFileSync,
  unavailable as readSync,
  unavailable as realpathSync,
  unavailable as sign,
  unavailable as timingSafeEqual,
  unavailable as verify,
};
