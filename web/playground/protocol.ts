import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import type { GqlSchema } from '../../src/compiler/schema/gql-schema.js';

/** A file of the playground. */
export interface PlaygroundFile {
  readonly name: string;
  readonly text: string;
}

/** The first message to the compiling worker: the port that speaks the Language Server Protocol. */
export interface ConnectEditor {
  readonly kind: 'editor';
  readonly port: MessagePort;
}

/** Asks the compiling worker for the results of a topology: the first file, and what it imports. */
export interface CompileRequest {
  readonly kind: 'compile';
  readonly files: readonly PlaygroundFile[];
}

/** The answer to a {@link CompileRequest}. */
export interface CompileAnswer {
  /** Absent if the topology has errors. */
  readonly results?: Results;
}

/** What a topology compiles to. */
export interface Results {
  /** The files of the topology, the importing one first. */
  readonly files: readonly PlaygroundFile[];
  /** The schema of the topology, without the federation queries. */
  readonly schema: GqlSchema;
  /** Absent if the topology is too large to be drawn. */
  readonly drawing?: Drawing;
  /** The bytes of `gg-svc build` and `gg-svc types`, by the name of the file. */
  readonly artifacts: Readonly<Partial<Record<ArtifactName, string>>>;
}

/** The files that the playground shows. */
export type ArtifactName = 'schema.graphql' | 'openapi.json' | 'collection.json' | 'asyncapi.json' | 'types.ts';

type HeaderList = readonly (readonly [string, string])[];

/** A message to the worker that serves the API. */
export type ApiRequest =
  /** Starts the server. The answer is `started`. */
  | { readonly kind: 'start'; readonly files: readonly PlaygroundFile[]; readonly resolvers?: string }
  /** Sends a request to it. The answers are `head`, any number of `part`, and `end`; or `failed` instead of any. */
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly url: string;
      readonly method: string;
      readonly headers: HeaderList;
      readonly body?: string;
    }
  | { readonly kind: 'cancel'; readonly id: number };

/** A message of the worker that serves the API. */
export type ApiAnswer =
  | { readonly kind: 'started'; readonly problem?: string }
  | { readonly kind: 'head'; readonly id: number; readonly status: number; readonly headers: HeaderList }
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string };
