import { baseName } from '../../graph/type-ref.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { IdLink } from './id-links.js';

/** The variable that holds the JSON Schemas of all answers. */
export const schemasVariable = 'schemas';

/**
 * The test script of a REST request, one line an element.
 *
 * @param schemaMembers - The JSON Schema of the result, without its braces.
 * @param captures - The ids that later requests send.
 */
export function restTestScript(
  { type }: GqlOperation,
  schemaMembers: string,
  captures: readonly IdLink[],
): string[] {
  return [
    ...statusTest,
    "pm.test('answers JSON', function () {",
    "  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^application\\/json\\b/);",
    '});',
    `pm.test('fits the schema of ${baseName(type)}', function () {`,
    '  const value = pm.response.json();',
    ...schemaTest(schemaMembers),
    ...captures.flatMap(captureLines),
    '});',
  ];
}

/** The test script of a GraphQL request, one line an element. */
export function graphqlTestScript(
  { name, type }: GqlOperation,
  schemaMembers: string,
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
    ...schemaTest(schemaMembers),
    ...captures.flatMap(captureLines),
    '});',
  ];
}

const statusTest = ["pm.test('answers 200', function () {", '  pm.response.to.have.status(200);', '});'];

function schemaTest(members: string): string[] {
  // JSON in single quotes, which is no JSON but needs no escapes in the file; there are only names in it.
  const schema = members.replaceAll('"', "'");
  if (!members.includes('$ref')) return [`  pm.expect(value).to.be.jsonSchema({${schema}});`];
  return [
    `  const definitions = JSON.parse(pm.collectionVariables.get('${schemasVariable}'));`,
    `  pm.expect(value).to.be.jsonSchema({${schema},definitions});`,
  ];
}

/** An id that would change its meaning inside a URL or a JSON text is not handed on. */
function captureLines({ path, variable }: IdLink): string[] {
  const steps = path.map((field) => `.flat(Infinity).map((item) => item?.${field})`).join('');
  return [
    `  const [${variable}] = [value]${steps};`,
    `  if (/^[\\w.~:@-]+$/.test(${variable} ?? '')) pm.collectionVariables.set('${variable}', ${variable});`,
  ];
}
