import { baseName, type TypeRef } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';
import type { Selection } from '../../schema/selection.js';

/** The test script of a REST request, one line an element. */
export function restTestScript(
  schema: GqlSchema,
  { type }: GqlOperation,
  selection: Selection | undefined,
): string[] {
  return [
    ...statusTest,
    "pm.test('answers JSON', function () {",
    "  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^application\\/json\\b/);",
    '});',
    `pm.test('has the shape of ${baseName(type)}', function () {`,
    '  const value = pm.response.json();',
    ...shapeOf(schema, type, selection),
    '});',
  ];
}

/** The test script of a GraphQL request, one line an element. */
export function graphqlTestScript(
  schema: GqlSchema,
  { name, type }: GqlOperation,
  selection: Selection | undefined,
): string[] {
  return [
    ...statusTest,
    "pm.test('has no errors', function () {",
    "  pm.expect(pm.response.json()).to.not.have.property('errors');",
    '});',
    `pm.test('has the shape of ${baseName(type)}', function () {`,
    '  const body = pm.response.json();',
    `  pm.expect(body.data).to.have.property('${name}');`,
    `  const value = body.data.${name};`,
    ...shapeOf(schema, type, selection),
    '});',
  ];
}

const statusTest = ["pm.test('answers 200', function () {", '  pm.response.to.have.status(200);', '});'];

/** Null passes where the type allows it: whether there is something to answer is not for the test to say. */
function shapeOf(schema: GqlSchema, type: TypeRef, selection: Selection | undefined): string[] {
  const bare = type.kind === 'nonNull' ? type.of : type;
  const lines: string[] = [];
  if (type.kind === 'nonNull') lines.push('  pm.expect(value).to.not.equal(null);');
  if (bare.kind === 'list') lines.push("  if (value !== null) pm.expect(value).to.be.an('array');");
  const check = itemCheck(schema, baseName(type), selection);
  if (check === undefined) return lines;
  if (bare.kind === 'named') return [...lines, `  if (value !== null) pm.expect(value)${check};`];
  return [
    ...lines,
    '  for (const item of [value].flat(Infinity)) {',
    `    if (item !== null) pm.expect(item)${check};`,
    '  }',
  ];
}

/** What one value that is not null has to be; undefined where a custom scalar may be anything. */
function itemCheck(schema: GqlSchema, name: string, selection: Selection | undefined): string | undefined {
  if (selection !== undefined) {
    if (selection.members.length > 0) {
      const members = selection.members.map(({ selection: { type } }) => type);
      return `.to.have.property('__typename').that.is.oneOf(${quoted(members)})`;
    }
    const names = selection.fields.map((field) => field.name);
    return `.to.include.all.keys(${quoted(selection.typename ? ['__typename', ...names] : names)})`;
  }
  const found = namedType(schema, name);
  if (found.kind === 'enum') return `.to.be.oneOf(${quoted(found.type.values)})`;
  return found.kind === 'builtin' ? `.to.be.a('${typeof found.wire.example}')` : undefined;
}

/** The names of GraphQL need no escaping between quotes. */
function quoted(names: readonly string[]): string {
  return `['${names.join("', '")}']`;
}
