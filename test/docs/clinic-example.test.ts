import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createGqlServer, sqliteStore } from '../../src/index.js';
import { noSqlite } from '../runtime/store/engines.js';
import { clinicExample, testClinic } from './clinic-example.js';

describe('the clinic example', () => {
  test('has at most 40 lines of code beside its topology', () => {
    const code = readFileSync(`${clinicExample}/clinic.resolvers.mjs`, 'utf8').trimEnd().split('\n');
    expect(code.length).toBeLessThanOrEqual(40);
  });

  test.skipIf(noSqlite)('passes its workflows on SQLite', async () => {
    expect(await testClinic({ file: 'clinic.sqlite' })).toContain('8 workflows passed, 0 failed');
  });

  test.skipIf(noSqlite)('lets doctors write notes into their own appointments alone', async () => {
    const server = createGqlServer({
      topologies: [`${clinicExample}/clinic.gg`],
      authenticate: () => null,
      store: sqliteStore({ file: ':memory:' }),
    });
    const database = await server.store();
    for (const id of ['grey', 'house'])
      await database.insertInto('doctor').values({ id, name: id, field: 'SURGERY' }).execute();
    await database.insertInto('patient').values({ id: 'ada', name: 'Ada' }).execute();
    const start = '2027-03-01T09:00:00.000Z';
    const slot = { id: 's', doctorId: 'grey', start, minutes: 20 };
    await database.insertInto('slot').values(slot).execute();
    const appointment = { id: 'a', slotId: 's', doctorId: 'grey', patientId: 'ada', start, version: 1 };
    await database.insertInto('appointment').values(appointment).execute();
    const write = (doctor: string) =>
      server.executeOperation({
        query: `mutation { writeNote(id: "a", doctorId: "${doctor}", notes: [{ text: "by ${doctor}" }]) { notes { text } } }`,
        principal: { id: doctor, roles: ['doctor'] },
      });
    expect((await write('grey')).data).toEqual({ writeNote: { notes: [{ text: 'by grey' }] } });
    expect((await write('house')).data).toEqual({ writeNote: null });
    expect(await database.selectFrom('note').select('text').execute()).toEqual([{ text: 'by grey' }]);
    await server.close();
  });
});
