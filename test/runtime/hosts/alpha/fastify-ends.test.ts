import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createAlphaFastifyPlugin, createAlphaServer } from '../../../../src/index.js';

const source = "(root)-[:PROCESS]->(hello { text: 'Grüße 👋' })";
const body = '{"text":"Grüße 👋"}';

const apps: ReturnType<typeof fastify>[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function open(change: (payload: unknown, response: ServerResponse) => unknown) {
  const app = fastify();
  apps.push(app);
  app.addHook('onSend', async (_request, reply, payload) => change(payload, reply.raw));
  await app.register(createAlphaFastifyPlugin(createAlphaServer({ topologies: [{ name: 'a.gg', source }] })));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, url: `${address}/api/hello` };
}

describe('an answer on Fastify, whose end is written with its body', () => {
  test.each<[string, (payload: unknown) => unknown, string]>([
    ['the text', (payload) => payload, body],
    ['another text', () => '{"é":1}', '{"é":1}'],
    ['an empty text', () => '', ''],
    ['bytes', () => Buffer.from('{"é":2}'), '{"é":2}'],
    ['a stream', () => Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')]), '{"a":1}'],
    ['nothing', () => null, ''],
  ])('has what a hook gives: %s', async (_given, change, expected) => {
    const { app, url } = await open(change);
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, expected]);
    expect((await app.inject('/api/hello')).body).toBe(expected);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  test('goes through the end of a response that a program has replaced', async () => {
    const ended: unknown[] = [];
    const { url } = await open((payload, response) => {
      const { end } = response;
      response.end = ((...given: Parameters<typeof end>) => {
        ended.push(given[0]);
        return end.apply(response, given);
      }) as typeof end;
      return payload;
    });
    expect(await (await fetch(url)).text()).toBe(body);
    expect(ended).toEqual([body]);
  });

  test('is whole in each of many pipelined requests', async () => {
    const { app, url } = await open((payload) => payload);
    const { connect } = await import('node:net');
    const { port } = new URL(url);
    const text = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(Number(port), '127.0.0.1', () => {
        const one = 'GET /api/hello HTTP/1.1\r\nhost: localhost\r\n';
        socket.write(`${`${one}\r\n`.repeat(19)}${one}connection: close\r\n\r\n`);
      });
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      socket.on('close', () => resolve(got));
    });
    expect(text.split(body)).toHaveLength(21);
    expect(app.server.listening).toBe(true);
  });
});
