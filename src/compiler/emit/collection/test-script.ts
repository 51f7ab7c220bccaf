/** The variable with the JSON Schemas of all answers and the ids that later requests send. */
export const answersVariable = 'answers';

/** The variable with the file of every form. */
export const fileVariable = 'file';

/** The test script of the REST folder, a line an element. It finds the operation by method and path: requests may be renamed. */
export const rest: readonly string[] = [
  'const { method, url } = pm.request;',
  `const operation = ${operationOfDefaultRoute()};`,
  readAnswers('schemas, definitions, ids'),
  ...test('answers 200', ['  pm.response.to.have.status(200);']),
  ...answersJson(),
  ...fitsItsSchema(['const value = pm.response.json();']),
];

// biome-ignore lint/suspicious/noTemplateCurlyInString: the script holds the template.
const itemsSchema = '(schemas[`rest ${operation}`] ?? schemas[operation])';

/**
 * The script of a schema whose operations have routes or statuses of their own. A response with a documented status
 * other than that of success has no result to check.
 */
export const routed: readonly string[] = [
  'const { method, url } = pm.request;',
  readAnswers('schemas, definitions, ids, routes, statuses'),
  'const own = routes.find(([verb, path]) => verb === method && new RegExp(path).test(url.getPath()));',
  `const operation = own === undefined ? ${operationOfDefaultRoute()} : own[2];`,
  'const [success, ...others] = statuses[operation] ?? [200];',
  ...test('answers with a documented status', ['  pm.expect(pm.response.code).to.be.oneOf([success, ...others]);']),
  'if (pm.response.code === success && success !== 204 && success !== 205) {',
  ...[...answersJson(), ...fitsItsSchema(['const value = pm.response.json();'], itemsSchema)].map(
    (line) => `  ${line}`,
  ),
  '}',
];

/** The test script of the GraphQL folder. It finds the operation by the document of the request, which may be in a form. */
export const graphql = (hasForms: boolean): readonly string[] => [
  ...(hasForms
    ? [
        'const { graphql, formdata } = pm.request.body;',
        "const { query } = formdata ? JSON.parse(formdata.get('operations')) : graphql;",
        'const [operation, name] = /^\\w+ (\\w+)/.exec(query);',
      ]
    : ['const [operation, name] = /^\\w+ (\\w+)/.exec(pm.request.body.graphql.query);']),
  readAnswers('schemas, definitions, ids'),
  ...test('answers 200', ['  pm.response.to.have.status(200);']),
  ...test('has no errors', ["  pm.expect(pm.response.json()).to.not.have.property('errors');"]),
  ...fitsItsSchema([
    'const { data } = pm.response.json();',
    'pm.expect(data).to.have.property(name);',
    'const value = data[name];',
  ]),
];

/** The test script of the folder of chains; a durable chain answers before its steps ran. */
export const chains = (isDurable: boolean): readonly string[] =>
  isDurable
    ? test('answers 200 or 202', ['  pm.expect(pm.response.code).to.be.oneOf([200, 202]);'])
    : test('answers 200', ['  pm.response.to.have.status(200);']);

/** The variable that lets a runner send the requests for streams. */
export const followVariable = 'follow_events';

/** The script before a request for a stream: a runner would wait for its end. */
export const skipStreams: readonly string[] = [
  `if (pm.variables.get('${followVariable}') !== 'true') pm.execution.skipRequest();`,
];

/** The test script of the folder of streams. */
export const streams: readonly string[] = [
  ...test('answers 200', ['  pm.response.to.have.status(200);']),
  ...test('answers with events', [
    "  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^text\\/event-stream\\b/);",
  ]),
];

function operationOfDefaultRoute(): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the script holds the template.
  return "`${method === 'GET' ? 'query' : 'mutation'} ${url.path[url.path.length - 1]}`";
}

function readAnswers(members: string): string {
  return `const { ${members} } = JSON.parse(pm.collectionVariables.get('${answersVariable}'));`;
}

function answersJson(): readonly string[] {
  return test('answers JSON', [
    "  pm.expect(pm.response.headers.get('Content-Type')).to.match(/^application\\/json\\b/);",
  ]);
}

/** Checks the result, and stores its ids. An id that would change its meaning inside a URL or a JSON text is not stored. */
function fitsItsSchema(value: readonly string[], schema = 'schemas[operation]'): readonly string[] {
  return test('fits its schema', [
    ...value.map((line) => `  ${line}`),
    `  pm.expect(value).to.be.jsonSchema({ ...${schema}, definitions });`,
    '  for (const [variable, path] of Object.entries(ids[operation] ?? {})) {',
    '    const [id] = path.reduce((items, field) => items.flat(Infinity).map((item) => item?.[field]), [value]);',
    "    if (/^[\\w.~:@-]+$/.test(id ?? '')) pm.collectionVariables.set(variable, id);",
    '  }',
  ]);
}

function test(name: string, lines: readonly string[]): readonly string[] {
  return [`pm.test('${name}', function () {`, ...lines, '});'];
}
