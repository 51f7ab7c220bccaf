import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '../call/problem.js';
import { readStream } from '../read/read-stream.js';
import { studioPaths } from './protocol.js';

/** The sessions of pages that know the token. */
export interface SignIn {
  /** Whether the request belongs to a session. */
  isSignedIn(request: Request): boolean;
  /** The page that asks for the token. */
  page(): Response;
  /** Answers the form of the page. A wrong token is answered after a pause. */
  submit(request: Request, url: URL): Promise<Response>;
}

/** The pause after a wrong token, in milliseconds. */
const penalty = 1_000;

/** The number of wrong tokens whose answers may wait at a time. */
const maxWaiting = 10;

const maxBody = 4096;
const cookieName = 'gg-studio';

/** Creates the sessions of a token. The cookie is derived from the token, so it outlives a restart of the server. */
export function createSignIn(token: string): SignIn {
  const digest = (text: string) => createHmac('sha256', token).update(text).digest();
  const session = digest('session').toString('base64url');
  let waiting = 0;
  /** Compares digests: they have one length, and the time says nothing of the texts. */
  const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));
  return {
    isSignedIn(request) {
      const cookies = request.headers.get('cookie')?.split(';') ?? [];
      return cookies.some((cookie) => {
        const [name = '', value = ''] = cookie.split('=', 2);
        return name.trim() === cookieName && isEqual(value.trim(), session);
      });
    },
    page: () => signInPage(200),
    async submit(request, { protocol }) {
      const reading = await readStream(request.body, maxBody);
      const given = reading.ok ? new URLSearchParams(reading.bytes.toString()).get('token') : null;
      if (waiting >= maxWaiting) {
        const headers = ['retry-after', '1'];
        throw new ProblemError({ status: 429, detail: 'There were too many wrong tokens.', headers });
      }
      if (!isEqual(given ?? '', token)) {
        waiting += 1;
        await new Promise((resolve) => setTimeout(resolve, penalty));
        waiting -= 1;
        return signInPage(401);
      }
      const isSecure = protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https';
      const cookie = `${cookieName}=${session}; Path=/_gg; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
      return new Response(null, {
        status: 303,
        headers: { location: studioPaths.page, 'set-cookie': cookie },
      });
    },
  };
}

function signInPage(status: 200 | 401): Response {
  const problem = status === 401 ? '<p role="alert">This is not the token.</p>\n' : '';
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>gg-svc studio: sign in</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<main class="sign-in">
<h1>gg-svc studio</h1>
${problem}<form method="post" action="sign-in">
<label>Token <input type="password" name="token" required autofocus autocomplete="current-password"></label>
<button>Sign in</button>
</form>
</main>
</body>
</html>
`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
