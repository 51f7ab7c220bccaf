import { execFile } from 'node:child_process';
import type { FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import type { CliIo } from '../terminal/io.js';

/** Tells the service manager that started the process about its state (`Type=notify` of systemd). */
export interface ServiceManager {
  /** The server listens: the manager is told once `/health/ready` answers 200. */
  listening(server: () => FetchCompatibleGraphQLServer): void;
  /** The shutdown has begun. */
  stopping(): void;
}

/** How often the server is asked whether it is ready, in milliseconds. */
const pollInterval = 100;

/**
 * Makes the notifier of a process. Without `NOTIFY_SOCKET` it does nothing. The socket takes datagrams, which Node.js cannot
 * send over Unix sockets, so the program `systemd-notify` sends them; the unit needs `NotifyAccess=all`.
 */
export function createServiceManager({ env, stderr }: Pick<CliIo, 'env' | 'stderr'>): ServiceManager {
  let isStopping = false;
  const notify = (state: string): void => {
    execFile('systemd-notify', [state], { env: { ...env } }, (error) => {
      if (error !== null) stderr(`warning: systemd was not told ${state}: ${error.message.trim()}\n`);
    });
  };
  if ((env.NOTIFY_SOCKET ?? '') === '') return { listening: () => undefined, stopping: () => undefined };
  return {
    listening(server) {
      const ask = async (): Promise<void> => {
        const { ok } = await server().fetch(new Request('http://localhost/health/ready'));
        if (isStopping) return;
        if (ok) notify('READY=1');
        else setTimeout(() => void ask(), pollInterval).unref();
      };
      void ask();
    },
    stopping() {
      isStopping = true;
      notify('STOPPING=1');
    },
  };
}
