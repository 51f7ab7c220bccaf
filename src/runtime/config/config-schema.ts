import type { JsonSchema } from '../../base/json-schema/compile-schema.js';
import { eventFormats } from '../../compiler/api/cloud-event.js';
import { artifactFiles } from '../../compiler/emit/emitter.js';
import type { ApiKey } from '../auth/api-keys.js';
import type { AuthConfig } from '../auth/auth-config.js';
import type { OwnerOptions } from '../auth/owner.js';
import { brokerNames } from '../brokers/broker-names.js';
import type { EventsConfig } from '../brokers/brokers.js';
import { defaultLimits, type LimitOptions } from '../limits/limits.js';
import type { ImportOptions } from '../load/import-reach.js';
import type { LogConfig, McpOptions, MetricsConfig, ProjectConfig } from './project-config.js';
import type { CorsOptions, IdempotencyOptions, RateLimit } from './traffic-options.js';

/** The keywords that the schema of the project file has, in words of its own types. */
export interface ConfigSchema extends JsonSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly const?: boolean;
  readonly pattern?: typeof webUrl;
  readonly items?: ConfigSchema;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly additionalProperties?: false | ConfigSchema;
  readonly anyOf?: readonly ConfigSchema[];
}

const webUrl = '^https?://[^/]';

type Described<T> = { readonly [Key in keyof Required<T>]: ConfigSchema };

const word: ConfigSchema = { type: 'string', minLength: 1 };
const text = (description: string): ConfigSchema => ({ description, ...word });
const flag = (description: string): ConfigSchema => ({ description, type: 'boolean' });

function listOf(description: string, items: ConfigSchema): ConfigSchema {
  return { description, type: 'array', items };
}

const texts = (description: string): ConfigSchema => ({ ...listOf(description, word), minItems: 1 });

function whole(description: string, minimum: number, maximum?: number): ConfigSchema {
  return { description, type: 'integer', minimum, ...(maximum !== undefined && { maximum }) };
}

function choice(description: string, ...names: readonly string[]): ConfigSchema {
  return { description, type: 'string', enum: names };
}

function either(description: string, ...anyOf: readonly ConfigSchema[]): ConfigSchema {
  return { description, anyOf };
}

const flagOr = (description: string, other: ConfigSchema) => either(description, { type: 'boolean' }, other);
const textOrTexts = (description: string) => either(description, word, texts('Several.'));
const pathOrFalse = (description: string) => either(description, word, { const: false });
const duration = (description: string, maximum: number) =>
  either(description, { type: 'integer', minimum: 1, maximum }, { type: 'string', minLength: 2 });

/** An object with these members; the type parameter keeps the schema and the TypeScript type in step. */
function object<T>(
  description: string,
  required: readonly (keyof T & string)[],
  properties: Described<T>,
): ConfigSchema {
  const schema: ConfigSchema = { description, type: 'object', properties, additionalProperties: false };
  return required.length === 0 ? schema : { ...schema, required };
}

function limit(name: keyof LimitOptions): ConfigSchema {
  const number = { type: 'integer', minimum: 1 } as const;
  if (name === 'csrf' || name === 'introspection' || name === 'masking') return { type: 'boolean' };
  return { anyOf: [number, { const: false }] };
}

const limitNames = [...Object.keys(defaultLimits), 'batching', 'csrf', 'introspection', 'masking'];

type Info = NonNullable<ProjectConfig['info']>;
type Jwt = NonNullable<AuthConfig['jwt']>;

/**
 * The JSON Schema of the project file: what the reader checks, and what editors complete. The package ships it as
 * `gg-svc.config.schema.json`; a test compares both.
 */
export const configSchema: ConfigSchema & { readonly $schema: string; readonly title: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'gg-svc project file',
  ...object<ProjectConfig & { readonly $schema?: string }>('The project file of gg-svc.', [], {
    $schema: text('The JSON Schema of this file, for editors.'),
    sources: texts('The topology: paths, globs and URLs. Paths are relative to this file.'),
    imports: object<ImportOptions>('What topologies may import beyond their project.', [], {
      files: texts('Files, and folders with all that is below. Paths are relative to this file.'),
      urls: texts('URLs; all that begin with one of them are allowed.'),
    }),
    info: object<Info>('The metadata of the API.', [], {
      title: text('The title of the API.'),
      version: text('The version of the API.'),
      description: text('What the API is for; Markdown is allowed.'),
      termsOfService: text('The URL of the terms of service.'),
      contact: object<NonNullable<Info['contact']>>('Whom to ask.', [], {
        name: text('A name.'),
        url: text('A URL.'),
        email: text('An email address.'),
      }),
      license: object<NonNullable<Info['license']>>('The license of the API.', ['name'], {
        name: text('Its name.'),
        identifier: text('Its SPDX expression.'),
        url: text('Its URL.'),
      }),
      servers: listOf(
        'Where the API is served.',
        object<NonNullable<Info['servers']>[number]>('A server.', ['url'], {
          url: text('Its URL.'),
          description: text('What it is for.'),
        }),
      ),
      tags: listOf(
        'The tags of operations.',
        object<NonNullable<Info['tags']>[number]>('A tag.', ['name'], {
          name: text('Its name.'),
          description: text('What its operations have in common.'),
        }),
      ),
    }),
    collection: object<NonNullable<ProjectConfig['collection']>>('The Postman collection.', [], {
      name: text('Its name. Default: the title of the API.'),
    }),
    federation: flagOr(
      'Whether there are federation queries, and where their records are. Default: true.',
      object<{ readonly bundle: string; readonly trust: string }>('A signed bundle.', ['bundle', 'trust'], {
        bundle: text('The path or the URL of the bundle.'),
        trust: text('The path of the trust policy.'),
      }),
    ),
    scalars: {
      description: 'Custom scalars: their TypeScript types, and in a module their implementations.',
      type: 'object',
      additionalProperties: {
        anyOf: [
          text('The TypeScript type.'),
          object<{ readonly type?: string; readonly restType?: string }>('A scalar.', [], {
            type: text('The TypeScript type in resolvers.'),
            restType: text('The TypeScript type as JSON over REST, if different.'),
          }),
        ],
      },
    },
    resolvers: pathOrFalse('The resolvers module; false ignores the one next to the topology.'),
    channels: pathOrFalse('The channels module; false ignores the one next to the topology.'),
    strict: flag('Whether everything without effect is an error.'),
    maxWarnings: whole('check fails if there are more warnings.', 0),
    outputs: object<NonNullable<ProjectConfig['outputs']>>('What is written, and where.', [], {
      directory: text('The directory of the artifacts, for build.'),
      files: {
        description: 'The artifacts that build writes. Default: all.',
        type: 'array',
        items: choice('', ...artifactFiles, 'api.map.json'),
        minItems: 1,
      },
      openapi: choice('The version of the OpenAPI document. Default: 3.1.', '3.1', '3.2'),
      types: text('The file of the TypeScript types, for types and dev.'),
    }),
    server: object<NonNullable<ProjectConfig['server']>>('The server of serve and dev.', [], {
      port: whole('The port; 0 picks a free one.', 0, 65535),
      bind: text('The address to listen on.'),
      engine: choice('GraphQL Yoga (beta) or Apollo Server (alpha).', 'beta', 'alpha'),
      host: choice('The HTTP framework.', 'node', 'express', 'fastify'),
      endpoint: text('The path of GraphQL. Default: /graphql.'),
      baseUrl: { ...text('The public URL of the API, for the collection.'), pattern: webUrl },
      documents: flag('Whether the start page and the documents are served.'),
      eventFormat: choice('The format of events over REST. Default: json.', ...eventFormats),
      mcp: flagOr(
        'Whether agents can use the API at /mcp. Default: on in dev, off in serve.',
        object<McpOptions>('The server for agents.', [], {
          tools: choice(
            'The tools: families of chains (the default), or one for each operation.',
            'chains',
            'operations',
          ),
        }),
      ),
      metrics: flagOr(
        'OpenTelemetry metrics, which Prometheus reads at an endpoint of its own.',
        object<MetricsConfig>('The exporter.', [], {
          prometheus: object<NonNullable<MetricsConfig['prometheus']>>(
            'Where Prometheus reads /metrics.',
            [],
            {
              host: text('The address. Default: localhost.'),
              port: whole('The port. Default: 9464.', 1, 65535),
            },
          ),
        }),
      ),
      logs: flagOr(
        'Access and error lines as JSON.',
        object<LogConfig>('The logs.', [], {
          level: choice('The least level.', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
          access: flag('Whether there is a line for each request. Default: true.'),
          arguments: flagOr(
            'Whether arguments of operations are logged, or the names of those that are.',
            texts('The names of arguments.'),
          ),
          redact: texts('Paths in a line whose values are replaced.'),
          destination: text('stdout (the default), stderr, or the path of a file.'),
        }),
      ),
      limits: object<LimitOptions>(
        'The limits, by name.',
        [],
        Object.fromEntries(
          limitNames.map((name) => [name, limit(name as keyof LimitOptions)]),
        ) as Described<LimitOptions>,
      ),
      auth: object<AuthConfig>('How callers authenticate.', [], {
        jwt: object<Jwt>('JSON Web Tokens in the header Authorization.', ['issuer', 'audience', 'jwks'], {
          issuer: textOrTexts('The issuer, or several.'),
          audience: textOrTexts('The audience, or several, of which one is enough.'),
          jwks: text('The URL of the key set, or the path of a file with one.'),
          algorithms: texts('The algorithms that are accepted. Default: all with a public key.'),
          types: texts('The types of tokens that are accepted. Default: at+jwt.'),
          clockTolerance: whole('By how many seconds the clock of the issuer may differ. Default: 5.', 0),
        }),
        apiKeys: object<NonNullable<AuthConfig['apiKeys']>>('API keys in a header.', ['keys'], {
          header: text('The header. Default: X-API-Key.'),
          keys: listOf(
            'The keys.',
            object<ApiKey>('A key.', ['id', 'sha256'], {
              id: text('Whose key it is.'),
              sha256: text('The SHA-256 of the key, in hexadecimal.'),
              scopes: texts('What it may do.'),
              roles: texts('What it is.'),
              expiresAt: whole('When it expires, in seconds since 1970.', 0),
            }),
          ),
        }),
      }),
      context: pathOrFalse('The context module; false ignores the one next to the topology.'),
      rateLimits: listOf(
        'Limits on the number of requests. Default: none.',
        object<RateLimit>('A limit.', ['limit', 'per', 'by'], {
          limit: whole('The maximum number of requests in a window.', 1),
          per: duration(
            'The window: a number of seconds, or a text such as 60s, 5m or 1h. At most a day.',
            86_400,
          ),
          by: choice('Whose requests are counted together.', 'address', 'principal'),
          operations: texts('Only these operations are counted. Default: all requests but health checks.'),
          name: text('Its name in headers and in the store.'),
          store: text('memory, or the URL of a Redis. Default: memory.'),
          onStoreError: choice('What happens to requests without the store.', 'allow', 'refuse'),
        }),
      ),
      events: object<EventsConfig>('What carries and keeps events.', ['broker'], {
        broker: choice('The broker; memory keeps events in the process. Default: memory.', ...brokerNames),
        url: text('The URL of the broker.'),
        urlFrom: text('The environment variable that has the URL.'),
        timeout: whole(
          'How long an event may wait for its acknowledgement, in milliseconds. Default: 5000.',
          1,
        ),
        channel: text('The channel of redis. Default: gg-svc:events.'),
        stream: text('The stream of redis-streams and nats. Default: gg-svc:events, or gg-svc.'),
        table: text('The table of postgres. Default: gg_svc_events.'),
        maxAge: whole('How long an event is kept, in milliseconds; not for redis. Default: unlimited.', 1),
        maxLength: whole('How many events are kept; not for redis. Default: 100000; 10000 in memory.', 1),
      }),
      owners: object<OwnerOptions>('How callers are compared with the owners of data.', [], {
        claim: text('The claim that is compared with the values of owner. Default: the id of the caller.'),
        exempt: texts('The roles whose callers act for every owner.'),
      }),
      idempotency: object<IdempotencyOptions>('Repeated mutations get the first answer. Default: off.', [], {
        ttl: duration(
          'How long answers are kept: a number of seconds, or a text such as 12h or 7d. Default: 1d.',
          2_592_000,
        ),
        store: text('memory, or the URL of a Redis. Default: memory.'),
      }),
      allowedHosts: texts('The host names that dev answers, beside localhost and addresses. Default: none.'),
      trustedProxies: texts('The proxies whose X-Forwarded headers are believed. Default: none.'),
      cors: object<CorsOptions>(
        'The pages of other origins that may read answers. Default: none.',
        ['origins'],
        {
          origins: {
            description: 'The origins, or * for all.',
            anyOf: [choice('All origins, without credentials.', '*'), texts('The origins.')],
          },
          credentials: flag('Whether these pages may send cookies. Default: false.'),
          maxAge: whole('How long preflight answers are cached, in seconds.', 0),
          headers: texts('The request headers that pages may set. Default: all.'),
          exposedHeaders: texts('The response headers that pages may read. Default: those of gg-svc.'),
        },
      ),
    }),
    diff: object<NonNullable<ProjectConfig['diff']>>('The command diff.', [], {
      waivers: text('The waiver file.'),
      failOn: choice('The level of changes that fail.', 'breaking', 'dangerous', 'safe', 'never'),
    }),
  }),
};
