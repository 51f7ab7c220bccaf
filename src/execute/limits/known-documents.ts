import type { DocumentNode, GraphQLError } from 'graphql';
import type { DocumentReader } from './document-reader.js';

/** How many documents are kept; with how long one may be that bounds the memory that it takes. */
const maxDocuments = 500;

/** How long a document that is kept may be. */
export const maxLength = 4_096;

/** How many documents that are wrong are kept. */
const maxWrong = 16;

/** A reader that keeps the documents it has read. */
export interface KnownDocuments extends DocumentReader {
  /** The document of a text that was read and found valid before; undefined for any other. */
  find(text: string): DocumentNode | undefined;
  /** Notes the document of a text that an engine has read; it was found valid here. */
  keep(text: string, document: DocumentNode): void;
}

/**
 * Keeps documents that are valid, by their text: clients send few documents, each very often. Reading one
 * again costs nothing then, and as it is the same object, it is known to have a plan. The one that was not
 * asked for the longest goes first. Of documents that are wrong only the last few are kept: an engine may read
 * one that was read before it, and nobody is to fill the memory with mistakes.
 */
export function keepDocuments(reader: DocumentReader): KnownDocuments {
  const documents = new Map<string, DocumentNode>();
  /** The texts of documents that were read and not yet judged. */
  const texts = new WeakMap<DocumentNode, string>();
  const valid = new WeakSet<DocumentNode>();
  const wrong = new Map<string, DocumentNode | { readonly thrown: unknown }>();
  const findings = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const note = (text: string, found: DocumentNode | { readonly thrown: unknown }): void => {
    wrong.set(text, found);
    if (wrong.size > maxWrong) wrong.delete(wrong.keys().next().value as string);
  };
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
    keep(text, document) {
      if (valid.has(document) && text.length <= maxLength && !documents.has(text)) keep(text, document);
    },
    parse(source) {
      if (typeof source !== 'string' || source.length > maxLength) return reader.parse(source);
      const known = find(source) ?? wrong.get(source);
      if (known !== undefined && 'thrown' in known) throw known.thrown;
      if (known !== undefined) return known;
      try {
        const document = reader.parse(source);
        texts.set(document, source);
        return document;
      } catch (thrown) {
        note(source, { thrown });
        throw thrown;
      }
    },
    validate(document) {
      if (valid.has(document)) return [];
      const errors = findings.get(document) ?? reader.validate(document);
      const text = texts.get(document);
      if (errors.length > 0) {
        findings.set(document, errors);
        if (text !== undefined) note(text, document);
        return errors;
      }
      valid.add(document);
      if (text !== undefined) keep(text, document);
      return errors;
    },
  };
}
