import type { DocumentNode, GraphQLError } from 'graphql';
import type { DocumentReader } from './document-reader.js';
import { LruMap } from './lru-map.js';

/** The maximum number and length of cached documents; together they bound the memory. */
export const maxDocuments = 500;
export const maxLength = 4_096;

const maxInvalid = 16;

/**
 * Caches valid documents by their text, because clients send few documents very often. A known document is not parsed
 * again, and since it is the same object every time, it has a compiled plan. Only a few invalid documents are cached,
 * for engines that parse a document again.
 */
export function keepDocuments(reader: DocumentReader) {
  const documents = new LruMap<string, DocumentNode>(maxDocuments);
  const invalid = new LruMap<string, DocumentNode | { readonly thrown: unknown }>(maxInvalid);
  /** The text of a document that was parsed here, and the errors of one that was validated here. */
  const texts = new WeakMap<DocumentNode, string>();
  const findings = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  return {
    ...reader,
    find: (text: string) => documents.get(text),
    /** Caches a document that an engine has parsed, if it was validated here. */
    keep(text: string, document: DocumentNode): void {
      const isValid = findings.get(document)?.length === 0;
      if (isValid && text.length <= maxLength && documents.get(text) === undefined) documents.set(text, document);
    },
    parse(source: Parameters<DocumentReader['parse']>[0]): DocumentNode {
      if (typeof source !== 'string' || source.length > maxLength) return reader.parse(source);
      const known = documents.get(source) ?? invalid.get(source);
      if (known !== undefined && 'thrown' in known) throw known.thrown;
      if (known !== undefined) return known;
      try {
        const document = reader.parse(source);
        texts.set(document, source);
        return document;
      } catch (thrown) {
        invalid.set(source, { thrown });
        throw thrown;
      }
    },
    validate(document: DocumentNode): readonly GraphQLError[] {
      const known = findings.get(document);
      if (known !== undefined) return known;
      const errors = reader.validate(document);
      findings.set(document, errors);
      const text = texts.get(document);
      if (text !== undefined) (errors.length > 0 ? invalid : documents).set(text, document);
      return errors;
    },
  };
}
