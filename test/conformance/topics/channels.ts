import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createJsonLinesChannel } from '../../../src/channels.js';
import { buildRuntimeIoProjectionLayer, compile } from '../../../src/index.js';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

const source = `
  (note_form { id: ID!, text: String! })-[:FOLD]->(note { id: ID!, text: String! })
  (root)-[:PROCESS { operation: 'notes', id: ID, returns: [Note!]! }]->(note)
`;

/** The records of a channel: what is written, and what is read. */
export const channels: Topic = {
  name: 'channels',
  define(host) {
    const folder = mkdtempSync(join(tmpdir(), 'gg-svc-conformance-'));
    const path = join(folder, 'notes.jsonl');
    let server: RunningHost;
    beforeAll(async () => {
      const layer = buildRuntimeIoProjectionLayer({
        graph: compile(source).ast,
        channels: [createJsonLinesChannel({ node: 'note', direction: 'inout', path })],
      });
      server = await host.start({ topologies: [{ name: 'notes.gg', source }], layers: [layer] });
    });
    afterAll(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });

    test('channels reject a record that does not fit the node before writing it', async () => {
      writeFileSync(path, '{"id":"1","text":"kept"}\n');
      for (const [input, parameter] of [
        [{}, 'input.id'],
        [{ id: '2' }, 'input.text'],
        [{ id: '2', text: null }, 'input.text'],
      ] as const) {
        const rest = await post(server, '/api/note', { input });
        expect([rest.status, rest.body.code, rest.body.parameter]).toEqual([400, 'BAD_USER_INPUT', parameter]);
        const query = 'mutation ($input: NoteFormInput) { note(input: $input) { id } }';
        const { body } = await post(server, '/graphql', { query, variables: { input } });
        expect(body.data).toEqual({ note: null });
        expect(body.errors).toMatchObject([{ path: ['note'], extensions: { code: 'BAD_USER_INPUT', parameter } }]);
      }
      expect(readFileSync(path, 'utf8')).toBe('{"id":"1","text":"kept"}\n');
      const { status, body } = await post(server, '/api/note', { input: { id: '2', text: 'new' } });
      expect([status, body]).toEqual([200, { id: '2', text: 'new' }]);
    });

    test('channels omit invalid records from an answer, and log them', async () => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      writeFileSync(path, '{"id":"1","text":"a"}\n{}\nnonsense\n{"id":"2"}\n{"id":"3","text":"b"}\n');
      const whole = [
        { id: '1', text: 'a' },
        { id: '3', text: 'b' },
      ];
      expect((await get(server, '/api/notes')).body).toEqual(whole);
      const { body } = await post(server, '/graphql', { query: '{ notes { id text } }' });
      expect(body).toEqual({ data: { notes: whole } });
      // Each is logged once, with its place, however often the file is read.
      const place = 'The channel of the node note (jsonl) skipped a record:';
      const reports = log.mock.calls.flat().filter((report) => typeof report === 'string' && report.startsWith(place));
      expect(reports).toEqual([
        `${place} line 2: id is missing.`,
        `${place} line 3 is not JSON.`,
        `${place} line 4: text is missing.`,
      ]);
      log.mockRestore();
    });
  },
};
