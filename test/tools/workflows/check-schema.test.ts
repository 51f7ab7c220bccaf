import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../../src/tools/workflows/check-schema.js';

const golden = new URL('../../../golden/', import.meta.url);

/** The formats of JSON Schema. Those of OpenAPI, such as int32, only annotate. */
const jsonSchemaFormats = [
  ...(['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'] as const),
  ...(['json-pointer', 'time', 'uri', 'uri-reference', 'uuid'] as const),
];

interface Documented {
  readonly schema: unknown;
  readonly example: unknown;
}

/** The responses of an OpenAPI document that have an example. */
function examplesOf(document: unknown): Documented[] {
  if (typeof document !== 'object' || document === null) return [];
  const { schema, example } = document as Partial<Documented>;
  const own = schema !== undefined && example !== undefined ? [{ schema, example }] : [];
  return [...own, ...Object.values(document).flatMap(examplesOf)];
}

/** The value with one part of it changed in its type, left out, or null; for each part. */
function corruptions(value: unknown): unknown[] {
  const here = [null, 1.5, 'other', true, [], {}, -1e12];
  if (typeof value !== 'object' || value === null) return here;
  const inner = Object.entries(value).flatMap(([name, part]) => {
    const replaced = corruptions(part).map((other) =>
      Array.isArray(value) ? value.map((item) => (item === part ? other : item)) : { ...value, [name]: other },
    );
    if (Array.isArray(value)) return replaced;
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    return [...replaced, rest];
  });
  return [...here, ...inner];
}

describe('the check of an answer', () => {
  it('agrees with a full validator, for the schemas of all golden cases', () => {
    let checked = 0;
    const wrong: unknown[] = [];
    const seen = new Set<string>();
    for (const name of readdirSync(golden)) {
      if (!readdirSync(new URL(`${name}/`, golden)).includes('openapi.json')) continue;
      const document = JSON.parse(readFileSync(new URL(`${name}/openapi.json`, golden), 'utf8')) as {
        readonly paths: object;
        readonly components: object;
      };
      const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false, multipleOfPrecision: 9 }), [
        ...jsonSchemaFormats,
      ]);
      ajv.addSchema({ components: document.components, $id: 'https://example.org/openapi' });
      for (const { schema, example } of examplesOf(document.paths)) {
        const text = JSON.stringify([schema, example]);
        if (seen.has(text)) continue;
        seen.add(text);
        const moved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://example.org/openapi#/')) as object;
        const validate = ajv.compile(moved);
        for (const value of [example, ...corruptions(example).slice(0, 400)]) {
          const problems = checkSchema(document, schema, value);
          if ((problems.length === 0) !== validate(value)) wrong.push([name, value, problems]);
          checked++;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(5000);
  });

  it('reports where a value differs, for the intended option of a union', () => {
    const document = {
      components: {
        schemas: {
          Van: {
            type: 'object',
            required: ['__typename', 'minutes'],
            properties: { __typename: { const: 'Van' }, minutes: { type: 'integer' } },
          },
          Drone: { type: 'object', properties: { __typename: { const: 'Drone' } } },
        },
      },
    };
    const leg = {
      oneOf: [{ $ref: '#/components/schemas/Van' }, { $ref: '#/components/schemas/Drone' }, { type: 'null' }],
    };
    const schema = { type: 'array', items: leg };
    expect(checkSchema(document, schema, [null, { __typename: 'Van', minutes: 3 }])).toEqual([]);
    expect(checkSchema(document, schema, [{ __typename: 'Van', minutes: '3' }])).toEqual([
      '/0/minutes must be integer, not "3"',
    ]);
    expect(checkSchema(document, schema, 'x'.repeat(100))).toEqual([
      `the value must be array, not "${'x'.repeat(58)}…`,
    ]);
    expect(
      checkSchema(
        document,
        schema,
        Array.from({ length: 99 }, () => 1),
      ),
    ).toHaveLength(10);
  });
});
