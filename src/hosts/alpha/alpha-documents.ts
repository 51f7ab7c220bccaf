import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';

/** How many documents are kept, and how long one may be; together they bound the memory that it takes. */
const maxDocuments = 500;
const maxLength = 4_096;

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/**
 * Makes what Apollo keeps parsed documents in. Its own store counts what a document is as JSON; a document
 * holds on to its text as well, which may be a comment of a megabyte. The one that was not asked for the
 * longest goes first.
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
