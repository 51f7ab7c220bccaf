import { type StudioMessage, studioPaths } from '../../src/tools/studio/protocol.js';

/** What a page does with the stream of messages. */
export interface StreamReader {
  message(message: StudioMessage): void;
  /** Called when the stream has opened, and when it is lost. */
  connection(isOpen: boolean): void;
}

/**
 * Follows the messages of the server, and reconnects when it has restarted. The tabs of a browser share one stream: with
 * HTTP/1.1, a browser opens six connections to a host, and each stream keeps one. The tab with the lock has the stream, and
 * passes on what comes. When it is closed, another tab gets the lock.
 */
export function followStream(reader: StreamReader): void {
  // A page that another machine serves without TLS has no locks.
  if (navigator.locks === undefined) openStream(reader);
  else shareStream(reader);
}

function shareStream(reader: StreamReader): void {
  const tabs = new BroadcastChannel(name);
  const tell = (note: Note) => tabs.postMessage(note);
  let isOpen: boolean | undefined;
  tabs.onmessage = ({ data: note }: MessageEvent<Note>) => {
    if (note.kind === 'message') reader.message(note.message);
    else if (note.kind === 'connection') reader.connection(note.isOpen);
    else if (isOpen !== undefined) tell({ kind: 'connection', isOpen });
  };
  tell({ kind: 'question' });
  void navigator.locks.request(name, () => {
    openStream({
      message(message) {
        reader.message(message);
        tell({ kind: 'message', message });
      },
      connection(now) {
        isOpen = now;
        reader.connection(now);
        tell({ kind: 'connection', isOpen: now });
      },
    });
    return new Promise(() => {});
  });
}

const name = 'gg-svc studio';

/** What tabs tell each other; a new one asks whether there is a connection. */
type Note =
  | { readonly kind: 'message'; readonly message: StudioMessage }
  | { readonly kind: 'connection'; readonly isOpen: boolean }
  | { readonly kind: 'question' };

function openStream(reader: StreamReader): void {
  const source = new EventSource(studioPaths.messages);
  source.onopen = () => reader.connection(true);
  source.onerror = () => {
    reader.connection(false);
    // The browser retries after a lost connection, but not after an answer of another kind.
    if (source.readyState === EventSource.CLOSED) setTimeout(openStream, 1000, reader);
  };
  source.onmessage = ({ data }) => reader.message(JSON.parse(data));
}
