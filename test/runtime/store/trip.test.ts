import { expect, test, vi } from 'vitest';
import { type NamedStatement, type Prepared, Trip, type TripResult } from '../../../src/runtime/store/trip.js';

/** Sends statements as a trip; the server answers each with a row of one column. */
function send(statements: readonly NamedStatement[], prepared: Prepared) {
  const written: string[] = [];
  let settled: TripResult | undefined;
  const trip = new Trip(
    statements,
    prepared,
    () => Number,
    (_, result) => {
      settled = result;
    },
  );
  trip.submit({ stream: { write: (messages) => void written.push(messages.toString()) } });
  for (const { name } of statements) {
    if (name === '' || !prepared.has(name)) trip.handleRowDescription({ fields: [{ name: 'n', dataTypeID: 23 }] });
    trip.handleDataRow({ fields: ['7'] });
    trip.handleCommandComplete({ text: 'SELECT 1' });
  }
  trip.handleReadyForQuery();
  return { written, settled };
}

const parameters = (...values: readonly (string | null)[]) => ({ name: 's', sql: 'select $1', values });
const rows = [{ n: 7 }];

test('a trip is one write, and a statement that the connection knows is neither parsed nor described again', () => {
  const prepared: Prepared = new Map();
  const known = 'B\0\0\0\x14\0s\0\0\0\0\x01\0\0\0\x03€\0\0';
  const first = send([parameters('€')], prepared);
  const second = send([parameters('€')], prepared);
  expect([first.settled?.rows, second.settled?.rows]).toEqual([rows, rows]);
  const [execute, sync] = ['E\0\0\0\x09\0\0\0\0\0', 'S\0\0\0\x04'];
  const parse = 'C\0\0\0\x07Ss\0P\0\0\0\x12s\0select $1\0\0\0';
  expect(first.written).toEqual([`${parse}${known}D\0\0\0\x06P\0${execute}${sync}`]);
  expect(second.written).toEqual([`${known}${execute}${sync}`]);
});

test('a null parameter has the length −1, and an empty text the length 0', () => {
  const { written } = send([parameters(null, '')], new Map());
  expect(written[0]).toContain('\0s\0\0\0\0\x02\ufffd\ufffd\ufffd\ufffd\0\0\0\0\0\0D');
});

test('a trip gives the rows of its last statement', () => {
  const last = { name: '', sql: 'select 2', values: [] };
  const { settled, written } = send([parameters('x'), last], new Map());
  expect(settled).toEqual({ rows, tag: 'SELECT 1' });
  expect(written).toHaveLength(1);
});

/** A trip of three statements, of which the server answers these as empty. */
function travel(empty: readonly number[]) {
  const settle = vi.fn();
  const prepared: Prepared = new Map();
  const statements = ['', 'a', 'b'].map((name) => ({ name, sql: name, values: [] }));
  const trip = new Trip(statements, prepared, () => String, settle);
  for (const at of statements.keys()) {
    if (empty.includes(at)) trip.handleEmptyQuery();
    else trip.handleCommandComplete({ text: 'SELECT 0' });
  }
  expect(settle).not.toHaveBeenCalled();
  trip.handleReadyForQuery();
  return { settle, prepared, ended: trip.ended };
}

test.each([[[0]], [[1]], [[2]], [[0, 1, 2]]])(
  'a trip with empty statements (%j) fails when all of its statements have ended',
  (empty) => {
    const { settle, prepared, ended } = travel(empty);
    expect(settle.mock.calls).toMatchObject([
      [{ message: 'invariant: a statement is empty', code: '42601' }, undefined],
    ]);
    expect(ended).toBe(3);
    expect([...prepared.keys()]).toEqual(['a', 'b']);
  },
);

test('a trip without empty statements has the tag of the last one', () => {
  expect(travel([]).settle.mock.calls).toEqual([[undefined, { rows: [], tag: 'SELECT 0' }]]);
});
