import { execFile } from 'node:child_process';
import type { FetchCompatibleGraphQLServer } from '../../../runtime/server/gql-server.js';
import type { CliIo } from '../terminal/io.js';

/** How often the server is asked whether it is ready, in milliseconds. */
const pollInterval = 100;

/**
 * Tells the service manager that started the process about its state (`Type=notify` of systemd). Without
 * `NOTIFY_SOCKET` it does nothing. The socket takes datagrams, which Node.js cannot send over Unix sockets, so the
 * program `systemd-notify` sends them; the unit needs `NotifyAccess=all`.
 */
export function createServiceManager({ env, stderr }: Pick<CliIo, 'env' | 'stderr'>) {
  let isStopping = false;
  const notify = (state: string): void => {
    execFile('systemd-notify', [state], { env: { ...env } }, (error) => {
      if (error !== null) stderr(`warning: systemd was not told ${state}: ${error.message.trim()}\n`);
    });
  };
  const isManaged = (env.NOTIFY_SOCKET ?? '') !== '';
  return {
    /** The server listens: the manager is told once `/health/ready` answers 200. */
    listening(server: () => FetchCompatibleGraphQLServer): void {
      const ask = async (): Promise<void> => {
        const { ok } = await server().fetch(new Request('http://localhost/health/ready'));
        if (isStopping) return;
        if (ok) notify('READY=1');
        else setTimeout(() => void ask(), pollInterval).unref();
      };
      if (isManaged) void ask();
    },
    stopping(): void {
      isStopping = true;
      if (isManaged) notify('STOPPING=1');
    },
  };
}
