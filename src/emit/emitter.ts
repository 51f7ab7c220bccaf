import type { GqlSchema } from '../schema/gql-schema.js';

/** What the artifacts are called and where the API is reached; each emitter takes what it needs. */
export interface EmitOptions {
  /** `info.title` of the OpenAPI document. */
  readonly title: string;
  /** `info.name` of the collection. */
  readonly collectionName: string;
  /** The base URL of the GraphQL HTTP endpoint, for the collection. */
  readonly baseUrl: string;
}

/** One artifact: a pure function from the model to the text of a file. */
export interface Emitter<File extends string = string> {
  /** The file that it makes, `schema.graphql` for instance; also its key among the artifacts. */
  readonly file: File;
  /** The whole text of the file, with a final line break. The same input gives the same bytes. */
  readonly emit: (schema: GqlSchema, options: EmitOptions) => string;
}
