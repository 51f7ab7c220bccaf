import { type AuditResult, serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts, type RunningHost } from '../conformance/hosts.js';
import { conformanceOptions } from '../conformance/topology.js';

describe.each(hosts)('$name under the audits of graphql-http', (host) => {
  let server: RunningHost;
  beforeAll(async () => {
    server = await host.start(conformanceOptions());
  });
  afterAll(() => server.close());

  test('passes all 61', async () => {
    const audits = serverAudits({
      url: `${server.origin}/graphql`,
      fetchFn: (url: string, init?: RequestInit) => server.ask(new URL(url).pathname + new URL(url).search, init),
    });
    const results: AuditResult[] = [];
    for (const audit of audits) results.push(await audit.fn());
    const missed = results.filter(({ status }) => status !== 'ok').map(({ id, name }) => `${id} ${name}`);
    expect(audits).toHaveLength(61);
    expect(missed).toEqual([]);
  });
});
