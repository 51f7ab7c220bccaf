import { JsonPlace } from '../../../base/source/json-place.js';
import { aFile } from './example-schema.js';
import { jsonOf } from './requests.js';

/**
 * The document of a request with its variables; undefined for other requests. It is the body, or a part of a form
 * (https://github.com/jaydenseric/graphql-multipart-request-spec). Then files are {@link aFile} among the variables, and
 * `unread` has the paths of those that no topology can take as they are.
 */
export function graphqlOf(request: JsonPlace): JsonPlace | undefined {
  const body = request.at('body');
  const mode = body?.text('mode');
  if (mode !== 'formdata') return mode === 'graphql' ? body?.at('graphql') : undefined;
  const partOf = (key: string) => {
    const part = body?.list('formdata').find((one) => one.text('key') === key);
    return new JsonPlace(jsonOf(part?.text('value')), `${part?.pointer}/value`);
  };
  const operations = partOf('operations');
  if (operations.text('query') === undefined) return undefined;
  const variables = new Map(operations.entries('variables').map(([name, { value }]) => [name, value]));
  const unread: string[] = [];
  const paths = partOf('map')
    .entries()
    .flatMap(([, { value }]) => value);
  for (const path of paths.map(String)) {
    // Such as variables.picture, variables.input.picture and variables.pictures.0
    const found = /^variables\.(\w+)(?:\.([a-z_]\w*))?(\.\d+)?$/i.exec(path);
    const [, argument = '', field, index] = found ?? [];
    if (found === null || (field && index)) unread.push(path);
    if (found === null) continue;
    if (field === undefined) variables.set(argument, aFile);
    else variables.set(argument, { ...(variables.get(argument) as object), [field]: aFile });
  }
  const { query } = operations.value as { readonly query: string };
  return new JsonPlace({ query, variables: Object.fromEntries(variables), unread }, operations.pointer);
}
