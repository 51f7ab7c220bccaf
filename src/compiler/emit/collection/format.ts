/**
 * The part of the Postman Collection format v2.1 that this package writes
 * (https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html).
 */
export interface Collection {
  readonly info: {
    readonly _postman_id: string;
    readonly name: string;
    readonly description: string;
    readonly schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  };
  readonly item: readonly CollectionFolder[];
  /** How all requests authenticate that do not say otherwise; absent if none does. */
  readonly auth?: CollectionAuth;
  readonly variable: readonly CollectionVariable[];
}

/** A bearer token or an API key, whose value is a variable. */
export type CollectionAuth =
  | { readonly type: 'bearer'; readonly bearer: readonly CollectionAuthPart[] }
  | { readonly type: 'apikey'; readonly apikey: readonly CollectionAuthPart[] };

/** One parameter of an authentication. */
export interface CollectionAuthPart {
  readonly key: string;
  readonly value: string;
  readonly type: 'string';
}

/** A folder of requests, with the test script that runs after each of them. */
export interface CollectionFolder {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly event: readonly CollectionEvent[];
  readonly item: readonly CollectionItem[];
}

/** A script that runs before or after each request. */
export interface CollectionEvent {
  readonly listen: 'prerequest' | 'test';
  readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] };
}

/** One request with its example response. */
export interface CollectionItem {
  readonly id: string;
  readonly name: string;
  readonly request: CollectionRequest;
  readonly response: readonly [CollectionResponse];
}

/** A request. */
export interface CollectionRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly header: readonly CollectionHeader[];
  readonly body?: JsonBody | GraphQLBody | FormBody;
  /** Absent for the authentication of the collection. */
  readonly auth?: { readonly type: 'noauth' };
  readonly url: string | CollectionUrl;
  readonly description?: string;
}

/** A header of a request or a response. */
export interface CollectionHeader {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
}

/** A body of JSON text. */
export interface JsonBody {
  readonly mode: 'raw';
  readonly raw: string;
  readonly options: { readonly raw: { readonly language: 'json' } };
}

/** A form. A part may be a file, whose path is a variable. */
export interface FormBody {
  readonly mode: 'formdata';
  readonly formdata: readonly FormBodyPart[];
}

/** A part of a form. */
export type FormBodyPart =
  | { readonly key: string; readonly type: 'text'; readonly value: string; readonly description?: string }
  | { readonly key: string; readonly type: 'file'; readonly src: string; readonly description?: string };

/** A GraphQL document with its variables, which are JSON text. */
export interface GraphQLBody {
  readonly mode: 'graphql';
  readonly graphql: { readonly query: string; readonly variables: string };
}

/** A URL with arguments: the whole text and its parts. */
export interface CollectionUrl {
  readonly raw: string;
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly query?: readonly CollectionQueryPair[];
  /** The values of the segments `:name` of the path. */
  readonly variable?: readonly CollectionQueryPair[];
}

/** One pair of a query string, or one argument in a path. */
export interface CollectionQueryPair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
}

/** An example response. */
export interface CollectionResponse {
  readonly name: string;
  /** The method and the URL of the request; its headers and body are in the request itself. */
  readonly originalRequest: Pick<CollectionRequest, 'method' | 'url'>;
  readonly status: string;
  readonly code: number;
  readonly header: readonly CollectionHeader[];
  readonly body: string;
  readonly _postman_previewlanguage: 'json' | 'text';
}

/** A value that requests refer to as `{{key}}`. */
export interface CollectionVariable {
  readonly key: string;
  readonly value: string;
  readonly type: 'string';
  readonly description: string;
}
