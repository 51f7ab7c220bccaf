import { effect, type Signal, signal } from '@preact/signals';

const kept = new Map<string, Signal<unknown>>();

/** A value that survives a reload of the page and a restart of the server, unless `read` discards it. */
export function sessionSignal<Value>(
  key: string,
  initial: () => Value,
  read: (value: Value) => Value | undefined = (value) => value,
): Signal<Value> {
  let found = kept.get(key) as Signal<Value> | undefined;
  if (found === undefined) {
    const own = signal(restore(key, read) ?? initial());
    found = own;
    kept.set(key, found as Signal<unknown>);
    effect(() => {
      const text = JSON.stringify(own.value);
      try {
        sessionStorage.setItem(prefix + key, text);
      } catch {
        // Without storage, or with a full one, the page itself still keeps the value.
      }
    });
  }
  return found;
}

const prefix = 'gg-svc studio ';

function restore<Value>(key: string, read: (value: Value) => Value | undefined): Value | undefined {
  try {
    const text = sessionStorage.getItem(prefix + key);
    return text === null ? undefined : read(JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
