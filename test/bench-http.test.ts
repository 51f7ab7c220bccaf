import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { bundleBenchmark } from './bench/http/bundle.mjs';
import { answerLength, load } from './bench/http/load.js';
import { isVoid, writeReport } from './bench/http/report.js';
import { type AnySide, rows } from './bench/http/rows.js';
import { withProgramFolder } from './programs/bundle.mjs';

describe('the load of the serving benchmark', () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';

  test.each([whole, chunked])('detects the end of an answer: %j', (answer) => {
    expect(answerLength(Buffer.from(`${answer}HTTP`))).toBe(answer.length);
    for (let at = 0; at < answer.length; at++) {
      expect(answerLength(Buffer.from(answer.slice(0, at)))).toBeUndefined();
    }
  });

  async function measure(listener: RequestListener) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const request = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    try {
      return await load((server.address() as AddressInfo).port, request, 2, 200);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('sends the given number of requests', async () => {
    let answered = 0;
    const { requestsPerSecond, p99 } = await measure((_, response) => {
      answered += 1;
      response.end('ok');
    });
    expect(answered).toBe(200);
    expect(requestsPerSecond).toBeGreaterThan(0);
    expect(p99).toBeGreaterThan(0);
  });

  test('rejects a run if an answer is not 200', async () => {
    await expect(measure((_, response) => response.writeHead(500).end())).rejects.toThrow('500');
  });
});

test('the serving benchmark can be bundled with and without tracing', async () => {
  await withProgramFolder('bench', async (folder: string) => {
    const programs = await bundleBenchmark(folder);
    expect(programs.map((program) => existsSync(program))).toEqual([true, true]);
  });
});

describe('the report of the serving benchmark', () => {
  const conditions = {
    nodeVersion: '20',
    isPinned: true,
    turns: 2,
    processes: 1,
    connections: 1,
    peers: { fastify: '5' },
  };
  const measured = (microseconds: number) => ({ microseconds, requestsPerSecond: 1, p99: 1 });
  const turns = (ours: readonly number[], baseline: readonly number[]) =>
    ours.map((time, turn) => [measured(time), measured(baseline[turn] ?? 0)] as const);
  const isOurs = ({ contender, variant }: AnySide) => contender.startsWith('gg-svc') && variant === undefined;

  const report = (ours: number) => {
    const timeOf = (side: AnySide) => (isOurs(side) ? ours : 1_000);
    return writeReport(rows, (side, baseline) => [turns([timeOf(side)], [timeOf(baseline)])], conditions);
  };

  test('reports met at the limit, and not met below it', () => {
    const firstRow = (text: string) => text.split('\n').find((line) => line.startsWith('| 1 |'));
    expect(firstRow(report(1_111))).toMatch(/\| met \|$/);
    expect(firstRow(report(1_112))).toMatch(/\| \*\*not met\*\* \|$/);
  });

  test('prints the reason only for a row that is not met and has a reason', () => {
    expect(report(200)).not.toContain('Why not');
    expect(report(201)).toMatch(/Why not:\n\n- 3, REST: .+\n$/);
  });

  test('rates a pair of processes by the middle half of its turns, and a row by the median of its pairs', () => {
    const baseline = [100, 100, 900, 900, 50, 100, 5_000, 100];
    const pairs = [1, 2, 0.5].map((factor) =>
      turns(
        baseline.map((time, turn) => (turn === 1 || turn === 7 ? time * 9 : time) * factor),
        baseline,
      ),
    );
    const row = writeReport(rows, () => pairs, conditions);
    expect(row.split('\n').find((line) => line.startsWith('| 1 |'))).toContain('| 1.00 (0.500–2.00) |');
  });

  test('a turn that is slow for both sides changes no ratio', () => {
    const ratioOf = (times: readonly number[]) => {
      const text = writeReport(
        rows,
        () => [
          turns(
            times,
            times.map((time) => time * 1.5),
          ),
        ],
        conditions,
      );
      return text
        .split('\n')
        .find((line) => line.startsWith('| 1 |'))
        ?.split(' | ')[9];
    };
    expect(ratioOf([100, 100, 100, 100])).toBe('1.50 (1.50–1.50)');
    expect(ratioOf([100, 700, 300, 900])).toBe('1.50 (1.50–1.50)');
  });

  test('marks a run as void if a server differs from itself', () => {
    const against = (again: number) => () => [turns([again], [100])];
    expect([97.2, 102.9].map((again) => isVoid(against(again)))).toEqual([false, false]);
    expect([96, 104].map((again) => isVoid(against(again)))).toEqual([true, true]);
    expect(writeReport(rows, against(104), conditions)).toContain('This run is void');
    expect(writeReport(rows, against(100), conditions)).not.toContain('This run is void');
  });

  test('explains rows that were not measured, and has a line for every row', () => {
    const text = writeReport(rows, () => ({ missing: 'It is not there.' }), conditions);
    expect(text.match(/It is not there\..*\*\*not measured\*\*/g)).toHaveLength(rows.length + 1);
  });
});
