import { listOf, named, nonNull, nullable, type TypeRef } from './graph/type-ref.js';
import type { GqlArgument, GqlInputType, GqlObjectType, GqlOperation } from './schema/gql-schema.js';
import type { SchemaFragment } from './schema/merge-schemas.js';

const id = named('ID');
const int = nonNull(named('Int'));
const string = nonNull(named('String'));
const strings = nonNull(listOf(named('String')));

const objects: readonly GqlObjectType[] = [
  object('FederationIngressEndpoint', 'An endpoint at which a chain accepts requests.', {
    transport: string,
    url: string,
    priority: int,
    region: string,
  }),
  object('FederationWitnessHead', 'The head of a chain, as signed by a witness.', {
    witnessId: string,
    head: string,
    epoch: int,
    issuedAt: string,
    issuer: string,
    digest: string,
  }),
  object('FederationRouteHop', 'One chain of a route.', {
    index: int,
    chainId: nonNull(id),
    endpoint: string,
    witnessDigest: string,
  }),
  object('FederationPathProof', 'A proof that a route has exactly these hops.', {
    scheme: string,
    seed: string,
    hopDigests: strings,
    terminalDigest: string,
  }),
  object('FederationRoute', 'A route from one chain to another.', {
    epoch: int,
    fromChainId: nonNull(id),
    toChainId: nonNull(id),
    digest: string,
    expiresAt: string,
    signatureIssuer: string,
    signatureDigest: string,
    hops: nonNull(listOf(named('FederationRouteHop'))),
  }),
  object('FederationChain', 'A chain of the federation.', {
    id: nonNull(id),
    chainId: nonNull(id),
    index: int,
    ingressEndpoints: nonNull(listOf(named('FederationIngressEndpoint'))),
    witnessHead: nonNull(named('FederationWitnessHead')),
    capabilities: strings,
    expiresAt: string,
    signatureIssuer: string,
    signatureDigest: string,
  }),
  object('FederationLookup', 'A route with its destination, witness and path proof.', {
    destination: nonNull(named('FederationChain')),
    witness: nonNull(named('FederationWitnessHead')),
    pathProof: nonNull(named('FederationPathProof')),
    route: nonNull(named('FederationRoute')),
    expiresAt: string,
  }),
  object('FederationSnapshot', 'The metadata of a state of the federation index.', {
    epoch: int,
    generatedAt: string,
    index: int,
    digest: string,
    mirrorCount: int,
    recordCount: int,
    revocationCount: int,
    signer: string,
  }),
];

/**
 * The federation part of every server's schema: eight types with their inputs, and three queries. In the model and in
 * OpenAPI the inputs refer to output types for nested values; GraphQL forbids that, so the SDL uses the matching
 * `…Input` there.
 */
export const federationFragment: SchemaFragment = {
  objects,
  inputs: objects.map(inputOf),
  queries: [
    query(
      'federationChain',
      'Resolves a chain federation record by chain id; returns FederationChain',
      { id: named('ID') },
      'FederationChain',
    ),
    query(
      'federationLookup',
      'Two-step lookup: route, witness and admissible path proof; returns FederationLookup',
      { from: named('ID'), to: named('ID') },
      'FederationLookup',
    ),
    query(
      'federationSnapshot',
      'Fetches signed federation index snapshot metadata; returns FederationSnapshot',
      { epoch: named('Int') },
      'FederationSnapshot',
    ),
  ],
};

function object(name: string, description: string, fields: Readonly<Record<string, TypeRef>>): GqlObjectType {
  return {
    name,
    description,
    fields: Object.entries(fields).map(([field, type]) => ({
      name: field,
      description: undefined,
      type,
      fallback: undefined,
      span: undefined,
    })),
    node: undefined,
  };
}

/** The id of a chain repeats its `chainId`, so the input has no `id`. */
function inputOf({ name, description, fields }: GqlObjectType): GqlInputType {
  const given = name === 'FederationChain' ? fields.filter((field) => field.name !== 'id') : fields;
  return {
    name: `${name}Input`,
    description,
    of: name,
    fields: given.map((field) => argument(field.name, nullable(field.type))),
  };
}

function query(
  name: string,
  description: string,
  args: Readonly<Record<string, TypeRef>>,
  type: string,
): GqlOperation {
  return {
    kind: 'query',
    name,
    description,
    arguments: Object.entries(args).map(([argumentName, argumentType]) =>
      argument(argumentName, argumentType),
    ),
    type: named(type),
    edges: [],
  };
}

function argument(name: string, type: TypeRef): GqlArgument {
  return { name, description: undefined, type, fallback: undefined, span: undefined };
}
