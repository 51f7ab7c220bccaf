import { uncapitalized } from './graph/names.js';
import { named, nullable, readTypeRef } from './graph/type-ref.js';
import type { GqlArgument, GqlField, GqlInputType, GqlObjectType, GqlOperation } from './schema/gql-schema.js';
import type { SchemaFragment } from './schema/merge-schemas.js';

const objects = readObjects(`
  """An endpoint at which a chain accepts requests."""
  FederationIngressEndpoint { transport: String!, url: String!, priority: Int!, region: String! }

  """The head of a chain, as signed by a witness."""
  FederationWitnessHead {
    witnessId: String!, head: String!, epoch: Int!, issuedAt: String!, issuer: String!, digest: String!
  }

  """One chain of a route."""
  FederationRouteHop { index: Int!, chainId: ID!, endpoint: String!, witnessDigest: String! }

  """A proof that a route has exactly these hops."""
  FederationPathProof { scheme: String!, seed: String!, hopDigests: [String]!, terminalDigest: String! }

  """A route from one chain to another."""
  FederationRoute {
    epoch: Int!, fromChainId: ID!, toChainId: ID!, digest: String!, expiresAt: String!,
    signatureIssuer: String!, signatureDigest: String!, hops: [FederationRouteHop]!
  }

  """A chain of the federation."""
  FederationChain {
    id: ID!, chainId: ID!, index: Int!, ingressEndpoints: [FederationIngressEndpoint]!,
    witnessHead: FederationWitnessHead!, capabilities: [String]!, expiresAt: String!,
    signatureIssuer: String!, signatureDigest: String!
  }

  """A route with its destination, witness and path proof."""
  FederationLookup {
    destination: FederationChain!, witness: FederationWitnessHead!, pathProof: FederationPathProof!,
    route: FederationRoute!, expiresAt: String!
  }

  """The metadata of a state of the federation index."""
  FederationSnapshot {
    epoch: Int!, generatedAt: String!, index: Int!, digest: String!, mirrorCount: Int!,
    recordCount: Int!, revocationCount: Int!, signer: String!
  }
`);

/**
 * The federation part of every server's schema: eight types with their inputs, and three queries. In the model and in
 * OpenAPI the inputs refer to output types for nested values; GraphQL forbids that, so the SDL uses the matching
 * `…Input` there.
 */
export const federationFragment: SchemaFragment = {
  objects,
  inputs: objects.map(inputOf),
  queries: [
    query('FederationChain', 'id: ID', 'Resolves a chain federation record by chain id'),
    query('FederationLookup', 'from: ID, to: ID', 'Two-step lookup: route, witness and admissible path proof'),
    query('FederationSnapshot', 'epoch: Int', 'Fetches signed federation index snapshot metadata'),
  ],
};

function readObjects(text: string): readonly GqlObjectType[] {
  return [...text.matchAll(/"""(.+)"""\s+(\w+) \{([^}]+)\}/g)].map(([, description, name = '', fields = '']) => {
    return { name, description, fields: readFields(fields), node: undefined };
  });
}

/** The id of a chain repeats its `chainId`, so the input has no `id`. */
function inputOf({ name, description, fields }: GqlObjectType): GqlInputType {
  const given = name === 'FederationChain' ? fields.filter((field) => field.name !== 'id') : fields;
  const optional = given.map((field) => ({ ...field, type: nullable(field.type) }));
  return { name: `${name}Input`, description, of: name, fields: optional };
}

/** The query that is named after the type that it returns. */
function query(type: string, args: string, text: string): GqlOperation {
  const description = `${text}; returns ${type}`;
  const name = uncapitalized(type);
  return { kind: 'query', name, description, arguments: readFields(args), type: named(type), edges: [] };
}

/** Reads `name: Type!, other: [Type]!`. */
function readFields(text: string): readonly (GqlField & GqlArgument)[] {
  return [...text.matchAll(/(\w+): ([^\s,]+)/g)].map(([, name = '', type = '']) => {
    return { name, description: undefined, type: readTypeRef(type), fallback: undefined, span: undefined };
  });
}
