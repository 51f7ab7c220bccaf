import type { DocumentNode } from 'graphql';
import { Draft } from './draft/draft.js';
import { ImportedTypes } from './graphql/imported-types.js';
import { addOperations } from './graphql/operations.js';
import { readDefinitions } from './graphql/type-definitions.js';

export function importGraphql(document: DocumentNode): Draft {
  const draft = new Draft();
  const types = new ImportedTypes(readDefinitions(document, draft), draft);
  types.addNodes();
  addOperations(types);
  return draft;
}
