import { useState } from 'preact/hooks';

/** The answer of the studio to a command. */
interface Posted<Value> {
  /** The status; absent if the server did not answer. */
  readonly status?: number;
  readonly value?: Value;
  /** Why the command was not carried out, for the user. */
  readonly problem?: string;
}

/** A command that a button sends: its last answer, and whether another one is awaited. */
export function usePost<Value = undefined>(path: string) {
  const [answer, setAnswer] = useState<Posted<Value>>({});
  const [isBusy, setBusy] = useState(false);
  /** Sends the command. It never rejects. */
  const send = async (body: object) => {
    setBusy(true);
    const headers = { 'content-type': 'application/json' };
    const next = await ask<Value>(path, { method: 'POST', headers, body: JSON.stringify(body) });
    setBusy(false);
    setAnswer(next);
    return next;
  };
  return { ...answer, isBusy, send };
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
