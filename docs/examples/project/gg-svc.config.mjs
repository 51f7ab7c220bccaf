// @ts-check

/** @type {import('gg-svc').ProjectConfig} */
export default {
  sources: ['service.gg'],
  outputs: { directory: 'out', types: 'service.types.ts' },
  // Everything without effect is an error, and so is an edge without access settings if other edges have some.
  strict: true,
  // No federation queries. With signed records of chains and routes: see node_modules/gg-svc/docs/federation.md.
  federation: false,
  // Settings for production: see node_modules/gg-svc/docs/deployment.md. A module service.context.mjs sets the context
  // of resolvers, and may export hooks and plugins.
  server: {
    port: 4000,

    // Finds callers. Then restrict edges with `auth: 'required'`, `scopes: [...]`, `roles: [...]` or `owner: '...'`.
    // auth: { jwt: { issuer: 'https://login.example.com', audience: 'my-api', jwks: 'https://login.example.com/keys' } },

    // The pages of other origins that may read answers.
    // cors: { origins: ['http://localhost:3000'] },

    // Requests of each caller, and repeats of mutations with the header Idempotency-Key.
    // rateLimits: [{ limit: 600, per: '1m', by: 'principal' }],
    // idempotency: { ttl: '1d' },

    // http://localhost:9464/metrics for Prometheus, and lines of JSON.
    // metrics: true,
    // logs: true,

    // Events of several processes.
    // events: { broker: 'redis', urlFrom: 'REDIS_URL' },
  },
};
