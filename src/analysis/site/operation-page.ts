import { describeAccess } from '../../compiler/api/access.js';
import { apiChains, exampleInputs } from '../../compiler/api/chains/api-chains.js';
import { curlCommand, exampleCall } from '../../compiler/api/curl.js';
import { exampleDocument } from '../../compiler/api/example-document.js';
import { exampleResult } from '../../compiler/api/examples.js';
import { isRequired } from '../../compiler/api/is-required.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { placeArguments, restRoute, takesFields } from '../../compiler/api/rest-routes.js';
import { defaultSelection } from '../../compiler/api/selection.js';
import { operationSignature } from '../../compiler/api/signature.js';
import { ifGiven } from '../../compiler/graph/maps.js';
import { problemCodeOf } from '../../compiler/graph/names.js';
import type { GqlArgument, GqlOperation } from '../../compiler/schema/gql-schema.js';
import { routeText } from '../../compiler/schema/route-path.js';
import { wireView } from '../../compiler/schema/wire-view.js';
import {
  type Block,
  code,
  codeBlock,
  facts,
  type Inlines,
  joined,
  jsonBlock,
  list,
  type Page,
  paragraph,
  section,
} from './page.js';
import { readInlines, readProse, summaryOf } from './prose.js';
import {
  memberRows,
  memberTable,
  nameInline,
  operationInline,
  operationLinks,
  type Reference,
  sourceSection,
  typeInline,
} from './reference.js';
import { pythonRequest, typeScriptRequest } from './request-code.js';

export function operationPage(reference: Reference, operation: GqlOperation): Page {
  const { schema, paths } = reference;
  const { kind, name, description, deprecated, tags = [] } = operation;
  const isStream = kind === 'subscription';
  return {
    path: paths.ofOperation(operation),
    title: name,
    kind,
    summary: summaryOf(description),
    blocks: [
      ...ifGiven(
        deprecated,
        (reason): Block => ({ kind: 'notice', content: ['Deprecated: ', ...readInlines(reason)] }),
      ),
      ...readProse(description ?? ''),
      ...ifGiven(describeAccess(operation), (access) => paragraph(...readInlines(access))),
      codeBlock('graphql', operationSignature(schema, operation), 'Signature'),
      ...facts({
        Route: isStream ? [] : [code(routeText(operation))],
        Result: [typeInline(reference, operation.type)],
        Tags: joined(tags.map(code)),
      }),
      ...section('Arguments', argumentTable(reference, operation)),
      ...section('Request', requestBlocks(reference, operation)),
      ...(isStream
        ? section('Events', eventBlocks(reference, operation))
        : [
            ...section('Responses', responseBlocks(reference, operation)),
            ...section('Publishes', publishedBlocks(reference, operation)),
          ]),
      ...section('Chain', chainBlocks(reference, operation)),
      ...section('Channels', channelBlocks(reference, operation)),
      ...sourceSection(reference, operationCoordinate(operation)),
    ],
  };
}

function argumentTable(reference: Reference, operation: GqlOperation): readonly Block[] {
  const { arguments: args, kind } = operation;
  if (args.length === 0) return [];
  if (kind === 'subscription') return [memberTable(reference, 'Arguments', args)];
  const places = placeArguments(restRoute(operation));
  const rows = memberRows(reference, args).map(({ cells: [name = [], type = [], said = []], ...row }, at) => {
    const argument = args[at] as GqlArgument;
    const place = (['path', 'query', 'header', 'body'] as const).find((one) =>
      places[one]?.some((placed) => placed.name === argument.name),
    );
    const needed = isRequired(argument) ? 'required' : 'optional';
    return {
      ...row,
      cells: [name, type, [needed], [place === 'header' ? `header ${argument.header}` : (place ?? '')], said],
    };
  });
  return [{ kind: 'table', label: 'Arguments', head: ['Name', 'Type', 'Needed', 'In', 'Description'], rows }];
}

/** The request in several languages, and what its query string and its headers can do more. */
function requestBlocks({ schema, addresses }: Reference, operation: GqlOperation): readonly Block[] {
  const { arguments: args, kind, page } = operation;
  const { query, variables } = exampleDocument(schema, operation);
  const call = exampleCall(schema, operation, addresses);
  const codes = [
    codeBlock('sh', curlCommand(call), 'curl'),
    codeBlock('ts', typeScriptRequest(call), 'TypeScript'),
    codeBlock('python', pythonRequest(call), 'Python'),
    codeBlock('graphql', query, 'GraphQL'),
    ...(args.length === 0 ? [] : [jsonBlock(variables, 'Variables')]),
  ];
  const narrowing = ' narrows the response to a list of fields: ';
  const paging = ' has the addresses of the next and the previous page (RFC 8288).';
  return [
    { kind: 'tabs', codes },
    ...(kind !== 'subscription' && takesFields(schema, restRoute(operation))
      ? [paragraph(code('?fields='), narrowing, code('?fields=id,name'), '.')]
      : []),
    ...ifGiven(page, () => paragraph('The header ', code('Link'), paging)),
  ];
}

/** The answer of GraphQL, or an event. */
function graphqlAnswer({ schema }: Reference, { name, type, kind }: GqlOperation): Block {
  const result = exampleResult(schema, type, defaultSelection(schema, type));
  return jsonBlock({ data: { [name]: result } }, kind === 'subscription' ? 'Event' : 'Response of GraphQL');
}

/** The responses as the OpenAPI document has them. */
function responseBlocks(reference: Reference, operation: GqlOperation): readonly Block[] {
  const { openapi, schema } = reference;
  const { method, path } = restRoute(operation);
  const described = openapi.paths?.[path]?.[method.toLowerCase() as 'get'];
  const declared = (schema.problems ?? []).filter(({ name }) => operation.throws?.includes(name));
  const examples: Block[] = [];
  const rows = Object.entries(described?.responses ?? {}).map(([status, response]) => {
    const found = '$ref' in response ? openapi.components?.responses?.[response.$ref.replace(/^.*\//, '')] : response;
    const { description = '', content = {} } = found !== undefined && !('$ref' in found) ? found : {};
    const problems = declared.filter((problem) => String(problem.status) === status);
    const example = content['application/json']?.example;
    if (example !== undefined) examples.push(jsonBlock(example, `Response ${status}`));
    const names = problems.flatMap(({ name }) => [
      ...[' ', nameInline(reference, name), ' (', code(problemCodeOf(name)), ')'],
    ]);
    const shown = status === 'default' ? ['other'] : [code(status)];
    return { cells: [shown, [...readInlines(description.replaceAll('\n\n', ' ')), ...names]] };
  });
  return [
    ...examples,
    examples.length === 0
      ? graphqlAnswer(reference, operation)
      : paragraph('GraphQL answers with the same value in ', code(`data.${operation.name}`), '.'),
    { kind: 'table', label: 'Statuses', head: ['Status', 'Meaning'], rows },
    paragraph('Errors are ', code('application/problem+json'), ' (RFC 9457).'),
  ];
}

function eventBlocks(reference: Reference, operation: GqlOperation): readonly Block[] {
  const { schema, addresses } = reference;
  const sources = new Set(operation.edges.flatMap(({ from }) => from));
  const publishers = schema.mutations.filter(({ edges }) => edges.some(({ to }) => sources.has(to)));
  const webSocket = `${addresses.origin.replace(/^http/, 'ws')}${addresses.endpoint}`;
  const subprotocol = code('graphql-transport-ws');
  return [
    graphqlAnswer(reference, operation),
    paragraph('The response is a stream of Server-Sent Events.'),
    paragraph('Over WebSocket: ', code(webSocket), ' with the subprotocol ', subprotocol, '.'),
    ...(publishers.length === 0 ? [] : [paragraph('Published by ', ...operationLinks(reference, publishers), '.')]),
  ];
}

function publishedBlocks(reference: Reference, { kind, edges }: GqlOperation): readonly Block[] {
  if (kind !== 'mutation') return [];
  const targets = new Set(edges.map(({ to }) => to));
  const listeners = reference.schema.subscriptions.filter((subscription) =>
    subscription.edges.some(({ from }) => from.some((id) => targets.has(id))),
  );
  return list(listeners.map((subscription) => [operationInline(reference, subscription)]));
}

/** The request that runs the operation with the steps that lead to it; no block for other operations. */
function chainBlocks(reference: Reference, { name, kind, chain, durable }: GqlOperation): readonly Block[] {
  if (chain !== true) return [];
  const wire = wireView(reference.schema);
  const found = apiChains(wire).find(({ goal: { operation } }) => operation.name === name && operation.kind === kind);
  if (found === undefined) throw new Error('invariant: an operation with a chain is its goal');
  const steps = found.steps.map(({ operation }) => operationInline(reference, operation));
  return [
    paragraph(
      code(`POST ${found.path}`),
      durable
        ? ' begins a durable run of these steps, and hands their ids on: '
        : ' runs these steps with one request, and hands their ids on: ',
      ...joined(steps),
      '.',
    ),
    jsonBlock(exampleInputs(wire, found), 'Inputs'),
  ];
}

function channelBlocks({ schema }: Reference, { kind, name }: GqlOperation): readonly Block[] {
  const items = (schema.io ?? []).flatMap(({ node, transport, operations }) =>
    operations
      .filter((served) => served.kind === kind && served.name === name)
      .map(({ access }): Inlines => [code(node), ` (${transport}): ${access}`]),
  );
  return list(items);
}
