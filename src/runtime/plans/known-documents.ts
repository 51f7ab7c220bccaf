import type { DocumentNode } from 'graphql';
import type { DocumentReader } from '../limits/document-reader.js';

/** How many documents are kept, and how long one may be; together they bound the memory that it takes. */
const maxDocuments = 500;
const maxLength = 4_096;

/** A reader that keeps the documents it has read. */
export interface KnownDocuments extends DocumentReader {
  /** The document of a text that was read and found valid before; undefined for any other. */
  find(text: string): DocumentNode | undefined;
}

/**
 * Keeps documents that are valid, by their text: clients send few documents, each very often. Reading one
 * again costs nothing then, and as it is the same object, it is known to have a plan. What is wrong with a
 * document is not kept, so that nobody fills the memory with mistakes. The one that was not asked for the
 * longest goes first.
 */
export function keepDocuments(reader: DocumentReader): KnownDocuments {
  const documents = new Map<string, DocumentNode>();
  /** The texts of documents that were read and not yet judged. */
  const texts = new WeakMap<DocumentNode, string>();
  const valid = new WeakSet<DocumentNode>();
  const keep = (text: string, document: DocumentNode): void => {
    documents.set(text, document);
    if (documents.size <= maxDocuments) return;
    for (const oldest of documents.keys()) {
      documents.delete(oldest);
      break;
    }
  };
  const find = (text: string): DocumentNode | undefined => {
    const document = documents.get(text);
    if (document === undefined) return undefined;
    documents.delete(text);
    documents.set(text, document);
    return document;
  };
  return {
    ...reader,
    find,
    parse(source) {
      if (typeof source !== 'string' || source.length > maxLength) return reader.parse(source);
      const known = find(source);
      if (known !== undefined) return known;
      const document = reader.parse(source);
      texts.set(document, source);
      return document;
    },
    validate(document) {
      if (valid.has(document)) return [];
      const errors = reader.validate(document);
      if (errors.length > 0) return errors;
      valid.add(document);
      const text = texts.get(document);
      if (text !== undefined) keep(text, document);
      return errors;
    },
  };
}
