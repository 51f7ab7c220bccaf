/** The variable with the JSON Schemas of all answers and the ids that later requests send. */
export const answersVariable = 'answers';

/** One line an element. It finds the operation by method and path, so that requests may be renamed. */
export const restTestScript: readonly string[] = [
  'const { method, url } = pm.request;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the script holds the template.
  "const operation = `${method === 'GET' ? 'query' : 'mutation'} ${url.path[url.path.length - 1]}`;",
  ...testScript(
    'answers JSON',
    "pm.expect(pm.response.headers.get('Content-Type')).to.match(/^application\\/json\\b/);",
    ['const value = pm.response.json();'],
  ),
];

/** The test script of the GraphQL folder. It finds the operation by the document of the request. */
export const graphqlTestScript: readonly string[] = [
  'const [operation, name] = /^\\w+ (\\w+)/.exec(pm.request.body.graphql.query);',
  ...testScript('has no errors', "pm.expect(pm.response.json()).to.not.have.property('errors');", [
    'const { data } = pm.response.json();',
    'pm.expect(data).to.have.property(name);',
    'const value = data[name];',
  ]),
];

/**
 * The part that both scripts share. An id that would change its meaning inside a URL or a JSON text is not stored.
 *
 * @param test - The name of the test of the protocol.
 * @param assertion - What that test asserts.
 * @param value - The lines that read the result of the operation.
 */
function testScript(test: string, assertion: string, value: readonly string[]): readonly string[] {
  return [
    `const { schemas, definitions, ids } = JSON.parse(pm.collectionVariables.get('${answersVariable}'));`,
    "pm.test('answers 200', function () {",
    '  pm.response.to.have.status(200);',
    '});',
    `pm.test('${test}', function () {`,
    `  ${assertion}`,
    '});',
    "pm.test('fits its schema', function () {",
    ...value.map((line) => `  ${line}`),
    '  pm.expect(value).to.be.jsonSchema({ ...schemas[operation], definitions });',
    '  for (const [variable, path] of Object.entries(ids[operation] ?? {})) {',
    '    const [id] = path.reduce((items, field) => items.flat(Infinity).map((item) => item?.[field]), [value]);',
    "    if (/^[\\w.~:@-]+$/.test(id ?? '')) pm.collectionVariables.set(variable, id);",
    '  }',
    '});',
  ];
}
