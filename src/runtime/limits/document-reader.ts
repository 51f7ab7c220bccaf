import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  type Source,
  type ValidationRule,
  validate,
} from 'graphql';
import { errorInPlaceOf } from './error-in-place.js';
import type { Limits } from './limits.js';
import { limitComparisons } from './rules/comparisons.js';
import { limitCode, limitError, refusal } from './rules/limit-error.js';
import {
  asksForSchema,
  limitAliases,
  limitCost,
  limitDepth,
  limitDirectives,
  limitRootFields,
} from './rules/measures.js';

export type DocumentReader = ReturnType<typeof createDocumentReader>;

export function createDocumentReader(schema: GraphQLSchema, limits: Limits) {
  const rules = limitRules(limits);
  const parseOptions = Number.isFinite(limits.tokens) ? { maxTokens: limits.tokens } : {};
  return {
    /** Throws a {@link GraphQLError} if a document is not GraphQL, or has too many tokens. */
    parse(source: string | Source): DocumentNode {
      try {
        return parse(source, parseOptions);
      } catch (error) {
        if (error instanceof RangeError) throw tooNested();
        if (!isTokenLimit(error)) throw error;
        throw limitError('tokens', limits.tokens, `The document has more than ${limits.tokens} tokens.`);
      }
    },
    /** Validates a document. A document beyond a limit is not validated any further. */
    validate(document: DocumentNode): readonly GraphQLError[] {
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
    /** The code of an error that an engine reports itself; undefined if the error is not about a limit. */
    codeOf(error: { message: string; extensions?: GraphQLError['extensions'] }): string | undefined {
      if (isTokenLimit(error)) return limitCode('tokens');
      const limit = error.extensions?.limit;
      return typeof limit === 'string' ? limitCode(limit) : undefined;
    },
  };
}

/** The same error with the field alone where graphql-js names its type as well: `Query.readUser`. */
function withoutOwner(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/"\w+\.(\w+)(?:\((\w+):\))?"/g, (_, field, argument) =>
    argument === undefined ? `"${field}"` : `"${argument}"`,
  );
  if (message === error.message) return error;
  return errorInPlaceOf(error, message, error.extensions);
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

/** graphql-js gives the error of `maxTokens` neither a code nor a class. */
function isTokenLimit(error: unknown): boolean {
  return /Document contains more tha[nt] \d+ tokens/.test((error as Error).message);
}

/** graphql-js parses recursively. Only a server without the limit `tokens` can exhaust the stack. */
function tooNested(): GraphQLError {
  return refusal('DOCUMENT_TOO_NESTED', 'The document is nested too deeply to be parsed.');
}

/** `introspection`: clients may not query the schema. `__typename` describes a value and stays allowed. */
const forbidIntrospection: ValidationRule = (context) => ({
  Field(node) {
    if (!asksForSchema(node)) return;
    const message = `Introspection is off: ${node.name.value} is not available.`;
    const limit = 'introspection';
    context.reportError(refusal(limitCode(limit), message, { limit }, node));
  },
});
