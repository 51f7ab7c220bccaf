import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics } from '@opentelemetry/api';
import { afterEach, expect, test, vi } from 'vitest';
import { type Api, createPackageLoader } from '../../../src/base/tracing/packages.js';
import { createGqlServer, initSvcMetricsFromEnv } from '../../../src/index.js';
import { freePort } from '../../free-port.js';
import { stopMetrics } from './reset-telemetry.js';

const api = createPackageLoader(process.cwd())('@opentelemetry/api') as Api;

afterEach(async () => {
  await (api.metrics.getMeterProvider() as { shutdown?: () => Promise<void> }).shutdown?.();
  stopMetrics();
  api.metrics.disable();
  metrics.disable();
  vi.restoreAllMocks();
});

const source = `
(root)-[:PROCESS { id: ID!, route: 'GET /users/{id}' }]->(read_user: Record { id: ID!, name: String })
(root)-[:PROCESS]->(broken: Record { value: String })
(new_user: Record { name: String })-[:FOLD]->(add_user: Record { id: ID! })
(add_user)-[:FORK]->(user_added: Event { id: ID! })
`;

/** The samples of an exposition by their names with labels, as a scraper reads them. */
function readSamples(text: string): ReadonlyMap<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const match = /^([a-z_]+(?:\{[^\n]*\})?) (\S+)$/.exec(line);
      if (match === null) throw new Error(`Not a sample: ${line}`);
      return [match[1] as string, Number(match[2])];
    }),
  );
}

test('exposes requests, errors, durations and events to Prometheus on a separate port', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const port = await freePort();
  initSvcMetricsFromEnv({
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
    OTEL_EXPORTER_PROMETHEUS_PORT: String(port),
    SVC_SERVICE_NAME: 'users',
  });
  const server = createGqlServer({
    topologies: [{ name: 'users.gg', source }],
    resolvers: {
      Query: {
        readUser: (_: unknown, { id }: { id: string }) => ({ id }),
        broken: () => {
          throw new Error('no');
        },
      },
      Mutation: { addUser: () => ({ id: '7' }) },
    },
  });
  const ask = (path: string, init?: RequestInit) => server.fetch(new Request(`http://localhost${path}`, init));
  for (const id of ['a', 'b', 'c']) expect((await ask(`/users/${id}`)).status).toBe(200);
  await ask('/api/broken');
  const headers = { 'content-type': 'application/json' };
  await ask('/api/addUser', { method: 'POST', headers, body: '{"input":{"name":"Ada"}}' });
  // On the public port there is no such path.
  expect((await ask('/metrics')).status).toBe(404);

  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  const text = await answer.text();
  const samples = readSamples(text);
  const sum = (name: string, ...labels: string[]): number =>
    [...samples]
      .filter(([key]) => key.startsWith(`${name}{`) && labels.every((label) => key.includes(label)))
      .reduce((total, [, value]) => total + value, 0);
  expect(sum('gg_operation_requests_total', 'gg_operation_name="readUser"', 'gg_protocol="rest"')).toBe(3);
  expect(sum('gg_operation_requests_total', 'gg_edge="root -[:PROCESS]-> read_user"')).toBe(3);
  expect(sum('gg_operation_errors_total', 'gg_operation_name="broken"', 'error_type="INTERNAL_SERVER_ERROR"')).toBe(1);
  expect(sum('gg_operation_duration_count', 'gg_operation_name="readUser"')).toBe(3);
  expect(sum('http_server_request_duration_count', 'http_route="/users/{id}"', 'http_response_status_code="200"')).toBe(
    3,
  );
  expect(sum('http_server_request_duration_count', 'http_response_status_code="404"')).toBe(1);
  expect(sum('gg_events_published_total', 'gg_operation_name="userAdded"')).toBe(1);
  expect(text).toContain('service_name="users"');
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
});

test('reports a port in use, and keeps serving the API', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  initSvcMetricsFromEnv({
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
    OTEL_EXPORTER_PROMETHEUS_PORT: String((taken.address() as AddressInfo).port),
  });
  await expect.poll(() => warn.mock.calls.flat().join()).toContain('no endpoint for Prometheus');
  const server = createGqlServer({
    topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
  });
  expect((await server.fetch(new Request('http://localhost/api/hello'))).status).toBe(200);
  taken.close();
});
