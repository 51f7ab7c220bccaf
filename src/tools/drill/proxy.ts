import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between the servers of a drill and an address that the command line names. */
export type TcpProxy = Awaited<ReturnType<typeof openProxy>>;

/** A request that ends its connection, when it is seen next. */
export interface Trap {
  readonly request: RegExp;
  /** Whether the request is passed on, so that only its answer is lost. */
  readonly isSent: boolean;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Listens on a free port of this machine, and passes everything on to a host and a port. */
export async function openProxy(host: string, port: number) {
  let rule: 'pass' | 'pause' | 'refuse' = 'pass';
  let trap: (Trap & { readonly sprung: () => void }) | undefined;
  const pairs = new Set<Pair>();
  const end = ({ client, server }: Pair): void => {
    client.destroy();
    server.destroy();
  };
  const flow = ({ client, server }: Pair): void => {
    client.pipe(server);
    server.pipe(client);
  };
  const cut = (): void => {
    for (const pair of pairs) end(pair);
  };
  const listener = createServer((client) => {
    if (rule === 'refuse') {
      client.destroy();
      return;
    }
    const pair: Pair = { client, server: connect(port, host) };
    const { server } = pair;
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        pairs.delete(pair);
        end(pair);
      });
    }
    let answered: (() => void) | undefined;
    client.pause();
    // These listeners come before those of `pipe`: a connection that they end passes nothing on.
    client.on('data', (bytes) => {
      if (trap?.request.test(bytes.toString('latin1')) !== true) return;
      const { isSent, sprung } = trap;
      trap = undefined;
      if (isSent) answered = sprung;
      else {
        end(pair);
        sprung();
      }
    });
    server.on('data', () => {
      if (answered === undefined) return;
      end(pair);
      answered();
      answered = undefined;
    });
    if (rule === 'pass') flow(pair);
    else server.pause();
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    /** Ends all connections; new ones are passed on. */
    cut,
    /** Holds everything that is sent, in both directions. */
    pause(): void {
      rule = 'pause';
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.unpipe().pause();
    },
    /** Ends all connections, and every new one. */
    refuse(): void {
      rule = 'refuse';
      cut();
    },
    /** Passes everything on again. */
    mend(): void {
      const wasPaused = rule === 'pause';
      rule = 'pass';
      trap = undefined;
      if (wasPaused) for (const pair of pairs) flow(pair);
    },
    /** Resolves when a request has ended its connection. */
    catch(next: Trap): Promise<void> {
      return new Promise((resolve) => {
        trap = { ...next, sprung: resolve };
      });
    },
    /** Frees the port. */
    close(): void {
      cut();
      listener.close();
    },
  };
}
