import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type ParseOptions,
  parse,
  type Source,
  type ValidationRule,
  validate,
} from 'graphql';
import type { Limits } from './limits.js';
import { limitAliases } from './rules/aliases.js';
import { limitCost } from './rules/cost.js';
import { limitDepth } from './rules/depth.js';
import { limitDirectives } from './rules/directives.js';
import { forbidIntrospection } from './rules/introspection.js';
import { limitCode, limitError, refusal } from './rules/limit-error.js';
import { limitRootFields } from './rules/root-fields.js';

/** Reads and checks documents that come from outside, within the limits of a server. */
export interface DocumentReader {
  /**
   * Parses a document.
   *
   * @throws {GraphQLError} When it is not GraphQL, or beyond what is read at all.
   */
  parse(source: string | Source): DocumentNode;
  /** What is wrong with a document. The limits go first: what is beyond them is not looked at any further. */
  validate(document: DocumentNode): readonly GraphQLError[];
  /** For an engine that parses by itself. */
  readonly parseOptions: ParseOptions;
  /** For an engine that validates by itself: to be put before the rules of the specification. */
  readonly rules: readonly ValidationRule[];
  /**
   * Gives an error of an engine that parses or validates by itself the code that our own reading gives it;
   * undefined when it has nothing to do with limits.
   */
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
    rules,
    parseOptions,
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
        // Where the schema is not told, what the nearest name would be is not told either.
        return validate(schema, document, undefined, { hideSuggestions: !limits.introspection });
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

/** The rules of the limits that are on. The cheapest to tell apart for a reader come first. */
function limitRules(limits: Limits): readonly ValidationRule[] {
  const table: readonly (readonly [number, (maximum: number) => ValidationRule])[] = [
    [limits.depth, limitDepth],
    [limits.rootFields, limitRootFields],
    [limits.aliases, limitAliases],
    [limits.directives, limitDirectives],
    [limits.cost, limitCost],
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

/** graphql-js follows nesting by recursion; only a server without the limit `tokens` comes to its end. */
function tooNested(): GraphQLError {
  return refusal('DOCUMENT_TOO_NESTED', 'The document is nested too deeply to be read.');
}
