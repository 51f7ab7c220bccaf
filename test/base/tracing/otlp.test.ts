import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { flushTelemetry } from '../../../src/base/tracing/process-state.js';
import { withSvcSpan } from '../../../src/base/tracing/svc-tracing.js';
import { compile, createGqlServer, initSvcTracingFromEnv } from '../../../src/index.js';
import { stopTracing } from './reset-telemetry.js';

/** The parts of an OTLP/HTTP JSON request that are looked at. */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly ExportedSpan[];
    }[];
  }[];
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

/** A collector: it takes what is posted, and keeps it with the headers. */
const received: { path: string; headers: IncomingMessage['headers']; body: ExportRequest }[] = [];
let collector: Server;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ExportRequest;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  initSvcTracingFromEnv({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key',
    SVC_SERVICE_NAME: 'orders',
  });
});

afterAll(async () => {
  stopTracing();
  trace.disable();
  context.disable();
  propagation.disable();
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

/** Sends what is waiting, and gives all spans that arrived since the last time. */
async function arrived(): Promise<readonly ExportedSpan[]> {
  await flushTelemetry();
  return received
    .splice(0)
    .flatMap(({ body }) => body.resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
}

function attributes({ attributes: list }: { attributes: readonly Attribute[] }): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test('sends spans to a collector over HTTP with the service name and the headers', async () => {
  withSvcSpan('hello', (span) => span.setAttribute('size', 3));
  await flushTelemetry();
  const [request] = received;
  expect(request?.path).toBe('/v1/traces');
  expect(request?.headers.authorization).toBe('Bearer key');
  const [resource] = request?.body.resourceSpans ?? [];
  expect(attributes(resource?.resource ?? { attributes: [] })['service.name']).toBe('orders');
  expect(resource?.scopeSpans.map(({ scope }) => scope.name)).toEqual(['gg-svc']);
  expect((await arrived()).map(({ name }) => name)).toEqual(['hello']);
});

test('sends a compilation as one trace', async () => {
  compile("(root)-[:PROCESS]->(hello { text: 'Hello' })");
  const spans = await arrived();
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const root = spans.find(({ name }) => name === 'gg.compile');
  expect(root?.parentSpanId).toBeUndefined();
  const analyze = spans.find(({ name }) => name === 'gg.analyze');
  expect(analyze?.parentSpanId).toBe(root?.spanId);
  expect(spans.find(({ name }) => name === 'gg.lower')?.parentSpanId).toBe(analyze?.spanId);
});

test('sends a served operation in the trace of its caller, with edge, line and exception', async () => {
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source: '\n(root)-[:PROCESS]->(read_user { name: String! })' }],
    resolvers: { Query: { readUser: () => Promise.reject(new Error('gone')) } },
    context: {},
  });
  await arrived();
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const response = await server.fetch(
    new Request('http://localhost/api/readUser', {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    }),
  );
  report.mockRestore();
  expect(response.status).toBe(500);
  const spans = await arrived();
  expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => '0af7651916cd43dd8448eb211c80319c'));
  const operation = spans.find(({ name }) => name === 'gg.operation');
  const resolver = spans.find(({ name }) => name === 'gg.resolve Query.readUser');
  expect(operation?.parentSpanId).toBe('b7ad6b7169203331');
  expect(resolver?.parentSpanId).toBe(operation?.spanId);
  expect(attributes(resolver as ExportedSpan)).toMatchObject({
    'gg.edge': 'root -[:PROCESS]-> read_user',
    'gg.source': 'a.gg:2:1',
  });
  expect(resolver?.events.map(({ name }) => name)).toEqual(['exception']);
  expect(resolver?.status).toEqual({ code: 2, message: 'gone' });
});

test('ignores an unreachable collector', async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  expect(withSvcSpan('lost', () => 5)).toBe(5);
  // The exporter tries again for some seconds; the promise never rejects.
  await expect(Promise.race([flushTelemetry(), Promise.resolve()])).resolves.toBeUndefined();
});
