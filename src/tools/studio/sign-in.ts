import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readStream } from '../../base/read/read-stream.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { studioPaths } from './protocol.js';

/** The pause after a wrong token, in milliseconds. */
const penalty = 1_000;

/** The number of wrong tokens whose answers may wait at a time. */
const maxWaiting = 10;

const maxBody = 4096;
const cookieName = 'gg-studio';

/** The sessions of pages that know a token. The cookie is derived from the token, so it outlives a restart. */
export class SignIn {
  #waiting = 0;

  /** @param assets - The folder of the built page. */
  constructor(
    private readonly token: string,
    private readonly assets: URL,
  ) {}

  isSignedIn(request: Request): boolean {
    const cookies = request.headers.get('cookie')?.split(';') ?? [];
    return cookies.some((cookie) => {
      const [name = '', value = ''] = cookie.split('=', 2);
      return name.trim() === cookieName && this.#isEqual(value.trim(), this.#session());
    });
  }

  async page(status: 200 | 401): Promise<Response> {
    const text = await readFile(new URL('sign-in.html', this.assets), 'utf8');
    const problem = status === 401 ? '<p role="alert">This is not the token.</p>\n' : '';
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return new Response(text.replace('<form', `${problem}<form`), { status, headers });
  }

  /** Answers the form of the page. A wrong token is answered after a pause. */
  async submit(request: Request, { protocol }: URL): Promise<Response> {
    const reading = await readStream(request.body, maxBody);
    const given = reading.ok ? new URLSearchParams(reading.bytes.toString()).get('token') : null;
    if (this.#waiting >= maxWaiting) {
      const headers = ['retry-after', '1'];
      throw new ProblemError({ status: 429, detail: 'There were too many wrong tokens.', headers });
    }
    if (!this.#isEqual(given ?? '', this.token)) {
      this.#waiting += 1;
      await new Promise((resolve) => setTimeout(resolve, penalty));
      this.#waiting -= 1;
      return this.page(401);
    }
    const isSecure = protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https';
    const cookie = `${cookieName}=${this.#session()}; Path=/_gg; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    return new Response(null, { status: 303, headers: { location: studioPaths.page, 'set-cookie': cookie } });
  }

  #session(): string {
    return this.#digest('session').toString('base64url');
  }

  /** Digests have one length, so the time of the comparison says nothing of the texts. */
  #isEqual(one: string, other: string): boolean {
    return timingSafeEqual(this.#digest(one), this.#digest(other));
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.token).update(text).digest();
  }
}
