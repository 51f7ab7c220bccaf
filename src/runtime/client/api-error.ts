/** Problem details (RFC 9457). */
export interface Problem {
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
  readonly [member: string]: unknown;
}

/** An answer that is a problem. */
export class ApiError<Details = Problem> extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problem: Details;
  readonly headers: Headers;

  constructor(status: number, problem: Details & Problem, headers: Headers) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}.`);
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }
}

/** The error of an answer that is none. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  let problem: Problem = { status, title: statusText };
  try {
    problem = { ...problem, ...(JSON.parse(text) as Problem) };
  } catch {
    // A proxy answers with a page.
  }
  return new ApiError(status, problem, headers);
}
