import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';

/** The number of documents to keep, and the length of one; together they bound the memory of the store. */
const maxDocuments = 500;
const maxLength = 4_096;

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/**
 * Makes Apollo's store of parsed documents. Apollo's own store counts the JSON of a document, but a document also
 * holds its text, which may be a comment of a megabyte. The least recently used document is dropped first.
 */
export function createDocumentStore(): DocumentStore {
  const documents = new Map<string, DocumentNode>();
  return {
    async get(key) {
      const document = documents.get(key);
      if (document === undefined) return undefined;
      documents.delete(key);
      documents.set(key, document);
      return document;
    },
    async set(key, document) {
      if ((document.loc?.end ?? 0) > maxLength) return;
      documents.set(key, document);
      if (documents.size <= maxDocuments) return;
      for (const oldest of documents.keys()) {
        documents.delete(oldest);
        break;
      }
    },
    async delete(key) {
      documents.delete(key);
    },
  };
}
