import { readFileSync } from 'node:fs';
import { apiKeys, createGqlServer, type GqlServer } from '../../src/index.js';
import type { ApiKey } from '../../src/runtime/auth/api-keys.js';
import { codeBlocks } from './markdown.js';

const appointment = {
  id: '1',
  doctorId: 'grey',
  doctor: { id: 'grey', name: 'Meredith Grey', field: 'surgery' },
  patientId: 'ada',
  start: '2027-03-01T09:00:00.000Z',
  status: 'BOOKED',
};

const resolvers = {
  Query: { doctors: () => [appointment.doctor], appointments: () => [appointment] },
  Mutation: {
    book() {
      throw Object.assign(new Error('The doctor is busy then.'), {
        name: 'SlotTaken',
        doctorId: 'grey',
        start: appointment.start,
      });
    },
    writeNote: () => null,
  },
};

/** The server of the tutorial, where every time is taken and every appointment is unknown. */
export function clinic(): GqlServer {
  const blocks = codeBlocks(readFileSync('docs/clinic.md', 'utf8'));
  const textOf = (file: string) => blocks.find(({ info }) => info === `file=${file}`)?.text ?? '';
  const { server } = JSON.parse(textOf('gg-svc.config.json')) as {
    server: { auth: { apiKeys: { keys: ApiKey[] } }; owners: { exempt: string[] } };
  };
  return createGqlServer({
    topologies: [{ name: 'clinic.gg', source: textOf('clinic.gg') }],
    resolvers,
    authenticate: apiKeys(server.auth.apiKeys),
    owners: server.owners,
  });
}

/**
 * Sends a request as it is written in the page: a method, a path, and perhaps a body, which is JSON unless another type
 * stands before it. Returns the status and the message.
 */
export async function answerOf(server: GqlServer, caller: string, written: string): Promise<string> {
  const [, method = '', path = '', type = 'application/json', body] =
    /^(\S+) (\S+)(?: (text\/plain))?(?: (.*))?$/.exec(written) ?? [];
  const headers = {
    ...(caller !== 'nobody' && { 'x-api-key': caller }),
    ...(body !== undefined && { 'content-type': type }),
  };
  const response = await server.fetch(
    new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }),
  );
  const text = await response.text();
  const { detail, errors } = JSON.parse(text === '' ? '{}' : text);
  return `${response.status} ${detail ?? errors?.[0]?.message}`;
}
