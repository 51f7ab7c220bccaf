import { fileURLToPath } from 'node:url';
import ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import configSchema from '../../../gg-svc.config.schema.json' with { type: 'json' };
import { type ConfigSchema, checkConfig } from '../../../src/runtime/config/check-config.js';
import { repository } from '../../tools/cli/stand-in-io.js';

describe('the JSON Schema of the project file', () => {
  test('has the settings, the required ones and the choices of the type ProjectConfig', () => {
    // The reference to the schema is no setting, and an implementation is only in a module.
    const { $schema, ...properties } = configSchema.properties ?? {};
    expect(Object.keys($schema ?? {})).toEqual(['description', 'type', 'minLength']);
    const shown = shapeOfSchema({ ...configSchema, properties });
    expect(shown).toEqual(shapeOfType('src/runtime/config/project-config.ts', 'ProjectConfig'));
    expect(shown).toMatchObject([{ 'server?': [{ 'limits?': [{ 'depth?': ['false', 'number'] }] }] }]);
  });

  test('accepts what the reader accepts', () => {
    const validate = new ajv.default({ strict: false }).compile(configSchema);
    const value = fc.oneof(fc.constantFrom<unknown>(true, false, 5, 0, -1, 70000, '', 'a', 'beta', [], ['a'], {}));
    const keys = fc.constantFrom('sources', 'info', 'server', 'outputs', 'federation', 'resolvers', 'scalars', 'x');
    const inner = fc.constantFrom('title', 'license', 'name', 'url', 'port', 'engine', 'limits', 'bundle', 'trust');
    const object = fc.dictionary(
      keys,
      fc.oneof(value, fc.dictionary(inner, fc.oneof(value, fc.dictionary(inner, value)))),
    );
    fc.assert(
      fc.property(object, (given) => {
        expect(checkConfig(configSchema, given).length === 0, JSON.stringify(given)).toBe(validate(given));
      }),
      { numRuns: 1000 },
    );
  });
});

/** The forms that a value may have: names of types, literals, lists and objects; a setting that may be absent ends in `?`. */
type Shape = readonly (string | { readonly list: Shape } | { readonly [setting: string]: Shape })[];

function shapeOfSchema({ anyOf, type, const: only, enum: names, items, ...schema }: ConfigSchema): Shape {
  if (anyOf !== undefined) return ordered(anyOf.flatMap(shapeOfSchema));
  if (only !== undefined) return [String(only)];
  if (names !== undefined) return ordered(names.map((name) => `"${name}"`));
  if (type === 'integer') return ['number'];
  if (type === 'boolean') return ['false', 'true'];
  if (type === 'array') return [{ list: shapeOfSchema(items ?? {}) }];
  if (type !== 'object') return ['string'];
  const { properties, required = [], additionalProperties } = schema;
  if (typeof additionalProperties === 'object') return [{ '*': shapeOfSchema(additionalProperties) }];
  const members = Object.entries(properties ?? {}).map(
    ([name, member]) => [required.includes(name) ? name : `${name}?`, shapeOfSchema(member)] as const,
  );
  return [Object.fromEntries(members)];
}

/** The shape of a type in a source, as far as JSON has it. */
function shapeOfType(path: string, name: string): Shape {
  const file = fileURLToPath(new URL(path, repository));
  const options = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: ['node'],
  };
  const program = ts.createProgram([file], { ...options, skipLibCheck: true, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file) as ts.SourceFile;
  const found = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name);
  const shapeOf = (type: ts.Type): Shape => {
    if (type.isUnion()) return ordered(type.types.flatMap(shapeOf));
    if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.NonPrimitive)) return [];
    // `string & {}` is a string with suggestions.
    if (type.isIntersection() && type.types.some((one) => one.flags & ts.TypeFlags.String)) return ['string'];
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return [checker.typeToString(type)];
    const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (item !== undefined) return [{ list: shapeOf(item) }];
    const any = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (any !== undefined) return [{ '*': shapeOf(any) }];
    const isCode = type.getCallSignatures().length > 0 || type.getProperty('eval') !== undefined;
    if (isCode) return [];
    const members = type.getProperties().map((member): readonly [string, Shape] => {
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      return [isOptional ? `${member.name}?` : member.name, shapeOf(checker.getTypeOfSymbol(member))];
    });
    return [Object.fromEntries(members.filter(([, shape]) => shape.length > 0))];
  };
  return shapeOf(checker.getTypeAtLocation(found as ts.Node));
}

/** A choice that `string` includes is a suggestion. */
function ordered(shapes: Shape): Shape {
  const texts = [...new Set(shapes.filter((shape) => typeof shape === 'string'))].sort();
  const isOpen = texts.includes('string');
  const others = shapes.filter((shape) => typeof shape !== 'string');
  return [...texts.filter((text) => !isOpen || !text.startsWith('"')), ...others];
}
