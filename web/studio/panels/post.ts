/** The answer of the studio to a command. */
export interface Posted<Value> {
  /** The status; absent if the server did not answer. */
  readonly status?: number;
  readonly value?: Value;
  /** Why the command was not carried out, for the user. */
  readonly problem?: string;
}

/** Sends a command to the studio. It never rejects. */
export function post<Value = undefined>(path: string, body: object): Promise<Posted<Value>> {
  return ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Asks the studio for a value. It never rejects. */
export async function ask<Value>(path: string, init?: RequestInit): Promise<Posted<Value>> {
  try {
    const response = await fetch(path, init);
    const { status } = response;
    const text = await response.text();
    if (response.ok) return { status, ...(text === '' ? {} : { value: JSON.parse(text) as Value }) };
    return { status, problem: text === '' ? `The studio answered with status ${status}.` : reasonOf(text) };
  } catch {
    return { problem: 'The server does not answer.' };
  }
}

/** The reason in a problem document (RFC 9457), or the text itself. */
function reasonOf(text: string): string {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: string; title?: string };
    return detail ?? title ?? text;
  } catch {
    return text.trim();
  }
}
