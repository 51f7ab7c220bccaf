import { baseName } from '../../graph/type-ref.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { IdLink } from './id-links.js';

/** The variable that holds the JSON Schemas of all answers. */
export const schemasVariable = 'schemas';

/**
 * The test script of a REST request, one line an element.
 *
 * @param check - Holds the value against the JSON Schema of the result; see {@link schemaTest}.
 * @param captures - The ids that later requests send.
 */
export function restTestScript(
  { type }: GqlOperation,
  check: readonly string[],
  captures: readonly IdLink[],
): string[] {
  return [
    ...statusTest,
    "pm.test('answers JSON', function () {",
    "  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^application\\/json\\b/);",
    '});',
    `pm.test('fits the schema of ${baseName(type)}', function () {`,
    '  const value = pm.response.json();',
    ...check,
    ...captures.flatMap(captureLines),
    '});',
  ];
}

/** The test script of a GraphQL request, one line an element. */
export function graphqlTestScript(
  { name, type }: GqlOperation,
  check: readonly string[],
  captures: readonly IdLink[],
): string[] {
  return [
    ...statusTest,
    "pm.test('has no errors', function () {",
    "  pm.expect(pm.response.json()).to.not.have.property('errors');",
    '});',
    `pm.test('fits the schema of ${baseName(type)}', function () {`,
    '  const { data } = pm.response.json();',
    `  pm.expect(data).to.have.property('${name}');`,
    `  const value = data.${name};`,
    ...check,
    ...captures.flatMap(captureLines),
    '});',
  ];
}

const statusTest = ["pm.test('answers 200', function () {", '  pm.response.to.have.status(200);', '});'];

/**
 * The lines that hold `value` against a JSON Schema, for the scripts above.
 *
 * @param members - The JSON Schema, without its braces.
 */
export function schemaTest(members: string): readonly string[] {
  // JSON in single quotes, which is no JSON but needs no escapes in the file; there are only names in it.
  const schema = members.replaceAll('"', "'");
  if (!members.includes('$ref')) return [`  pm.expect(value).to.be.jsonSchema({${schema}});`];
  return [definitionsLine, `  pm.expect(value).to.be.jsonSchema({${schema},definitions});`];
}

const definitionsLine = `  const definitions = JSON.parse(pm.collectionVariables.get('${schemasVariable}'));`;

/** An id that would change its meaning inside a URL or a JSON text is not handed on. */
function captureLines({ path, variable }: IdLink): string[] {
  const steps = path.map((field) => `.flat(Infinity).map((item) => item?.${field})`).join('');
  return [
    `  const [${variable}] = [value]${steps};`,
    `  if (/^[\\w.~:@-]+$/.test(${variable} ?? '')) pm.collectionVariables.set('${variable}', ${variable});`,
  ];
}
