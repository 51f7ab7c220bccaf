import { resolvers as library } from 'graphql-scalars';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';
import { fileScalar, standardScalars } from '../../../src/compiler/graph/standard-scalars.js';
import { loadStandardScalars, type ScalarImplementation } from '../../../src/runtime/scalars/standard-scalars.js';

/** All but that of files, which are no values of JSON. */
const all = [...standardScalars.keys()].filter((name) => name !== fileScalar);

async function implementations(): Promise<ReadonlyMap<string, ScalarImplementation>> {
  const fields = all.map((name) => `f${name}: ${name}`).join(', ');
  const { schema } = compile(`(root)-[:PROCESS]->(everything { ${fields} })`);
  if (schema === undefined) throw new Error('the topology of all scalars does not compile');
  const [map] = await loadStandardScalars(schema);
  return new Map(Object.entries(map ?? {})) as ReadonlyMap<string, ScalarImplementation>;
}

/** A value of another kind than the example of a scalar, and near misses of the best known ones. */
const invalid: Readonly<Record<string, readonly JsonValue[]>> = {
  DateTime: ['2024-99-01', '2024-02-30T00:00:00Z', '2024-01-31', 1706693400000, ''],
  Date: ['2024-02-30', '2023-02-29', '2024-1-1', '2024-01-31T09:30:00Z', 20240131],
  Time: ['24:00:00Z', '09:30', 9],
  Duration: ['P', 'PT', '5 days', 5],
  UUID: ['187fac1a', '{187fac1a-2efe-4d43-aa27-b7370cfd1407}', 5],
  URL: ['example', '/path', 5],
  EmailAddress: ['ada', 'ada@', '@example.com', 'a b@example.com'],
  BigInt: ['1.5', 'x', '', 1.5, 2 ** 60, true],
  Decimal: ['1.', '.5', '1e3', 'x', 12.5],
  JSONObject: [[], 'text', 5],
  Timestamp: ['x', 1.5],
  PositiveInt: ['12', 12.7, 0, -1],
  Latitude: ['41.9', 91],
  IBAN: ['NL54INGB4789170233'],
  ISBN: ['978-3-16-148410-1x'],
  CountryCode: ['XX', 'nz'],
  Currency: ['EURO', 'ABC'],
  TimeZone: ['Nowhere/City'],
  IPv4: ['999.0.2.1'],
  GeoJSON: [{ type: 'Pt' }],
};

describe('the standard scalars', () => {
  it('are those of the package graphql-scalars without Void, and Decimal', () => {
    const names = Object.keys(library).filter((name) => name !== 'Void');
    expect([...all].sort()).toEqual([...names, 'Decimal'].sort());
  });

  it('are loaded only for a schema that uses one', async () => {
    const { schema } = compile('(root)-[:PROCESS]->(plain { name: String })');
    expect(schema && (await loadStandardScalars(schema))).toEqual([]);
  });

  it.each(all)('%s accepts its example, and serializes it to the same value', async (name) => {
    const scalar = (await implementations()).get(name) as ScalarImplementation;
    const { example } = standardScalars.get(name) ?? {};
    const given = scalar.parseValue(example);
    expect(JSON.parse(JSON.stringify(scalar.serialize(given)))).toEqual(example);
    expect(JSON.parse(JSON.stringify(scalar.serialize(name === 'USCurrency' ? given : example)))).toEqual(example);
  });

  it.each(all)('%s gives resolvers the type in the table', async (name) => {
    const scalar = (await implementations()).get(name) as ScalarImplementation;
    const { example, given } = standardScalars.get(name) ?? {};
    const value = scalar.parseValue(example);
    const type =
      value instanceof Date
        ? 'Date'
        : value instanceof Uint8Array
          ? 'Uint8Array'
          : value instanceof URL
            ? 'URL'
            : typeof value;
    expect(type === 'object' ? 'object' : type).toBe(
      given === 'unknown' || given?.startsWith('{') === true ? 'object' : given,
    );
  });

  it.each(all.filter((name) => name !== 'JSON'))('%s rejects a value of another kind', async (name) => {
    const scalar = (await implementations()).get(name) as ScalarImplementation;
    const { example } = standardScalars.get(name) ?? {};
    for (const other of [true, [], typeof example === 'object' ? 'text' : {}, ...(invalid[name] ?? [])]) {
      expect(() => scalar.parseValue(other), JSON.stringify(other)).toThrow();
    }
  });
});
