import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { maxDocuments, maxLength } from '../../limits/known-documents.js';
import { LruMap } from '../../limits/lru-map.js';

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/**
 * Makes Apollo's store of parsed documents. Apollo's own store counts only the JSON of a document, but a document also
 * contains its text, which may have a comment of a megabyte.
 */
export function createDocumentStore(): DocumentStore {
  const documents = new LruMap<string, DocumentNode>(maxDocuments);
  return {
    get: async (key) => documents.get(key),
    async set(key, document) {
      if ((document.loc?.end ?? 0) <= maxLength) documents.set(key, document);
    },
    async delete(key) {
      documents.delete(key);
    },
  };
}
