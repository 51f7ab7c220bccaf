import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describeSystemError } from '../../../../base/read/read-bytes.js';
import type { BrokerName, EventsConfig } from '../../../../runtime/brokers/brokers.js';
import type { ProjectConfig } from '../../../../runtime/config/project-config.js';
import { openProxy, type TcpProxy } from '../../../drill/proxy.js';
import type { DrillSettings } from '../../files/drilled-project.js';
import { type CliOptions, UsageError } from '../../terminal/command.js';
import { failure } from '../../terminal/failure.js';
import type { CliIo } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';

/** The brokers that a scheme can mean, the usual one first, and the port without one. */
const schemes: Readonly<Record<string, readonly [port: number, ...brokers: BrokerName[]]>> = {
  'redis:': [6379, 'redis-streams', 'redis'],
  'nats:': [4222, 'nats'],
  'postgres:': [5432, 'postgres'],
  'postgresql:': [5432, 'postgres'],
};

/** The environment variable with the URL of the database. */
const databaseVariable = 'GG_SVC_DRILL_DATABASE';

/** The addresses that a drill uses: only those of the command line. */
export interface DrillPlan {
  /** The broker, its address, and the name of a log of its own. */
  readonly events: EventsConfig & { readonly url: string };
  /** The file of SQLite, or the URL of PostgreSQL. */
  readonly store: { readonly file: string } | { readonly url: string } | undefined;
  /** The Redis that keeps the outcomes of calls with keys. */
  readonly repeats: string | undefined;
}

/**
 * Finds an address of the command line for each of the project.
 *
 * @throws {CommandFailure} GG5067 if one is missing, GG5068 without a broker, GG5071 for an address without a meaning.
 */
export function planAddresses(options: CliOptions, io: Pick<CliIo, 'directory'>): DrillPlan {
  const { project = {} as ProjectConfig, projectPath = 'command line' } = options;
  const named = [options.broker ?? []].flat().map(String);
  const database = readText(options, 'database');
  const { events = { broker: 'memory' }, store, idempotency } = project.server ?? {};
  const missing = (setting: string) => failure('GG5067', { setting: `server.${setting}` }, projectPath);
  const kindsOf = (address: string) => schemes[parse(address).protocol]?.slice(1) as readonly BrokerName[];
  const find = (broker: BrokerName) => named.find((address) => kindsOf(address).includes(broker));
  const [first] = named;
  if (events.broker === 'memory' && first === undefined) throw failure('GG5068', {}, projectPath);
  const broker = events.broker === 'memory' ? (kindsOf(first ?? '')[0] as BrokerName) : events.broker;
  const url = find(broker);
  if (url === undefined) throw missing('events');
  const id = randomBytes(4).toString('hex');
  const name =
    broker === 'postgres'
      ? { table: `gg_svc_drill_${id}` }
      : { [broker === 'redis' ? 'channel' : 'stream']: `gg-svc-drill-${id}` };
  const { urlFrom: _, ...settings } = events.broker === 'memory' ? { broker } : events;
  if (store === undefined && database !== undefined)
    throw new UsageError('--database needs stored nodes: the project file has no “server.store”.');
  if (store !== undefined && database === undefined) throw missing('store');
  const isUrl = database?.includes('://') === true;
  if (isUrl && !kindsOf(database).includes('postgres')) throw unusable(database, 'it is not PostgreSQL');
  const ownStore = typeof idempotency === 'object' ? idempotency.store : undefined;
  const repeats = typeof ownStore === 'string' && ownStore !== 'memory' ? find('redis') : undefined;
  if (typeof ownStore === 'string' && ownStore !== 'memory' && repeats === undefined)
    throw missing('idempotency.store');
  return {
    events: { ...settings, broker, url, ...name },
    store: database === undefined ? undefined : isUrl ? { url: database } : { file: resolve(io.directory, database) },
    repeats,
  };
}

/** Opens a proxy for each address, and gives the settings of servers that go through them. */
export async function openProxies({ events, store, repeats }: DrillPlan, options: CliOptions) {
  const opened = new Map<string, TcpProxy>();
  const through = async (address: string): Promise<string> => {
    const url = parse(address);
    const port = Number(url.port || schemes[url.protocol]?.[0]);
    const key = `${url.hostname}:${port}`;
    const proxy = opened.get(key) ?? (await openProxy(url.hostname.replace(/^\[|\]$/g, ''), port));
    opened.set(key, proxy);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    return url.href;
  };
  const { idempotency } = options.project?.server ?? {};
  const settings: DrillSettings = {
    events: { ...events, url: await through(events.url) },
    ...(store && { store: 'file' in store ? store : { urlFrom: databaseVariable } }),
    ...(repeats && { idempotency: { ...(idempotency as object), store: await through(repeats) } }),
  };
  const url = store !== undefined && 'url' in store ? store.url : undefined;
  const env: Record<string, string> = url === undefined ? {} : { [databaseVariable]: await through(url) };
  const { hostname, port } = new URL(url ?? 'postgres://none');
  const database = url === undefined ? undefined : opened.get(`${hostname}:${port || 5432}`);
  return { settings, env, proxies: [...opened.values()], database };
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !(url.protocol in schemes)) throw unusable(address, 'its scheme is none of a broker');
  if (/[?&](?:ssl|sslmode)=(?!disable)/.test(url.search)) throw unusable(address, 'a proxy cannot read TLS');
  return url;
}

function unusable(address: string, reason: string) {
  const shown = address.replace(/\/\/[^@/]*@/, '//…@');
  return failure('GG5071', { address: shown, reason }, shown);
}

/** Deletes what a drill has made; a failure says what is left. */
export async function cleanUp({ events }: DrillPlan, io: CliIo): Promise<void> {
  const { deleteLog } = await import('../../../drill/clean-up.js');
  await deleteLog(events).catch((error: unknown) => {
    const name = events.table ?? events.stream ?? '';
    io.stderr(`warning: ${name} is left at the broker ${events.broker}: ${describeSystemError(error)}\n`);
  });
}
