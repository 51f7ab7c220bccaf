import type { JsonPlace } from '../../base/source/json-place.js';
import { Draft } from './draft/draft.js';
import { addOperations } from './openapi/operations.js';
import { importOwnDocument, isOwnDocument } from './openapi/own-document.js';
import { References } from './openapi/references.js';
import { SchemaTypes } from './openapi/schema-types.js';
import { UnreadWords } from './openapi/unread-words.js';

/** Imports an OpenAPI document of version 3.0, 3.1 or 3.2. */
export function importOpenApi(root: JsonPlace): Draft {
  const draft = new Draft();
  reportRest(root, draft);
  if (isOwnDocument(root)) {
    importOwnDocument(root, draft);
    return draft;
  }
  const references = new References(root, draft);
  const words = new UnreadWords(draft, references);
  const types = new SchemaTypes(draft, references, words);
  addOperations({ root, draft, references, types, words });
  types.readWaiting();
  types.addNodes();
  words.reportSchemas();
  references.reportUnused();
  return draft;
}

function reportRest(root: JsonPlace, draft: Draft): void {
  const ofProject = 'Put it into the project file instead of the topology.';
  for (const key of ['info', 'servers', 'tags', 'externalDocs']) {
    const place = root.at(key);
    if (place !== undefined) draft.lose(place, key, ofProject);
  }
  const ofServer = 'The server option “authenticate” defines how callers authenticate.';
  for (const [name, place] of root.at('components')?.entries('securitySchemes') ?? [])
    draft.lose(place, `security scheme ${name}`, ofServer);
  for (const [name, place] of root.entries('webhooks'))
    draft.lose(place, `webhook ${name}`, 'A topology describes calls to the server only.');
}
