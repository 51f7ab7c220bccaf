import type { EventFormat } from '../api/cloud-event.js';
import type { ArazzoVersion } from './arazzo/receive-steps.js';
import type { OpenApiVersion } from './openapi/extensions.js';

/** The names of the artifacts and the address of the API; each emitter uses some of them. */
export interface EmitOptions {
  /** `info.title` of the OpenAPI document. */
  readonly title: string;
  /** `info.name` of the collection. */
  readonly collectionName: string;
  /** The base URL of the GraphQL HTTP endpoint, for the collection. */
  readonly baseUrl: string;
  /** The version of the OpenAPI document; 3.1 by default. With 3.2, a stream has the schema of its events. */
  readonly openapi?: OpenApiVersion | undefined;
  /** The version of the workflows; 1.0 by default. With 1.1, steps receive the events of `asyncapi.json`. */
  readonly arazzo?: ArazzoVersion | undefined;
  /** The format of events over REST; `json` by default. */
  readonly eventFormat?: EventFormat;
  /** Whether the OpenAPI document describes streams, which some generators cannot read. Default: `true`. */
  readonly streams?: boolean | undefined;
  /** Whether the OpenAPI document has schemas that no path refers to. Default: `true`. */
  readonly unusedSchemas?: boolean | undefined;
  /** Whether the server has the option `idempotency`: its mutations take an idempotency key. Default: `false`. */
  readonly takesKeys?: boolean;
  /** The server's limit `pageSize`, the maximum number of items in a page. Default: 1000. */
  readonly pageSize?: number | false | undefined;
}

/** The files of all emitters, in their order. A program that only needs the names loads no emitter. */
export const artifactFiles = [
  'schema.graphql',
  'openapi.json',
  'collection.json',
  'asyncapi.json',
  'workflows.arazzo.json',
] as const;

/** The name of the file of an artifact. */
export type ArtifactFile = (typeof artifactFiles)[number];
