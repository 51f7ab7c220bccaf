import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  type Source,
  type ValidationRule,
  validate,
} from 'graphql';
import type { Limits } from './limits.js';
import { limitComparisons } from './rules/comparisons.js';
import { forbidIntrospection } from './rules/introspection.js';
import { limitCode, limitError, refusal } from './rules/limit-error.js';
import { limitAliases, limitCost, limitDepth, limitDirectives, limitRootFields } from './rules/measures.js';

/** Parses and validates documents of clients within the limits of a server. */
export interface DocumentReader {
  /** Parses a document. Throws a {@link GraphQLError} if it is not GraphQL, or has too many tokens. */
  parse(source: string | Source): DocumentNode;
  /** Validates a document. A document beyond a limit is not validated any further. */
  validate(document: DocumentNode): readonly GraphQLError[];
  /** The code of an error that an engine reports itself; undefined if the error is not about a limit. */
  codeOf(error: {
    readonly message: string;
    readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  }): string | undefined;
}

/** Makes the reader of a server. */
export function createDocumentReader(schema: GraphQLSchema, limits: Limits): DocumentReader {
  const rules = limitRules(limits);
  const parseOptions = Number.isFinite(limits.tokens) ? { maxTokens: limits.tokens } : {};
  return {
    parse(source) {
      try {
        return parse(source, parseOptions);
      } catch (error) {
        if (error instanceof RangeError) throw tooNested();
        throw isTokenLimit(error) ? tooManyTokens(limits.tokens) : error;
      }
    },
    validate(document) {
      try {
        const beyond = rules.length === 0 ? [] : validate(schema, document, rules);
        if (beyond.length > 0) return beyond;
        // A suggestion would reveal names of a schema that clients may not query.
        const errors = validate(schema, document, undefined, { hideSuggestions: !limits.introspection });
        return limits.masking ? errors.map(withoutOwner) : errors;
      } catch (error) {
        if (error instanceof RangeError) return [tooNested()];
        throw error;
      }
    },
    codeOf({ message, extensions }) {
      if (isTokenLimit({ message })) return limitCode('tokens');
      if (typeof extensions?.limit === 'string') return limitCode(extensions.limit);
      return message.startsWith('Introspection is off: ') ? 'INTROSPECTION_DISABLED' : undefined;
    },
  };
}

/** The same error with the field alone where graphql-js names its type as well: `Query.readUser`. */
function withoutOwner(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/"\w+\.(\w+)(?:\((\w+):\))?"/g, (_, field, argument) =>
    argument === undefined ? `"${field}"` : `"${argument}"`,
  );
  if (message === error.message) return error;
  const { nodes, source, positions, extensions } = error;
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions,
  });
}

/** The rules of the limits that are on. Rules with the clearest errors come first. */
function limitRules(limits: Limits): readonly ValidationRule[] {
  const table: readonly (readonly [number, (maximum: number) => ValidationRule])[] = [
    [limits.depth, limitDepth],
    [limits.rootFields, limitRootFields],
    [limits.aliases, limitAliases],
    [limits.directives, limitDirectives],
    [limits.cost, limitCost],
    [limits.comparisons, limitComparisons],
  ];
  return [
    ...table.flatMap(([maximum, rule]) => (Number.isFinite(maximum) ? [rule(maximum)] : [])),
    ...(limits.introspection ? [] : [forbidIntrospection]),
  ];
}

function isTokenLimit(error: unknown): boolean {
  return /Document contains more tha[nt] \d+ tokens/.test((error as Error).message);
}

function tooManyTokens(maximum: number): GraphQLError {
  const message = `The document has more than ${maximum} tokens.`;
  return limitError({ limit: 'tokens', maximum, message });
}

/** graphql-js parses recursively. Only a server without the limit `tokens` can exhaust the stack. */
function tooNested(): GraphQLError {
  return refusal('DOCUMENT_TOO_NESTED', 'The document is nested too deeply to be parsed.');
}
