import { defineConfig } from 'gg-svc';

// Settings of the server: see node_modules/gg-svc/docs/configuration.md and deployment.md.
export default defineConfig({
  sources: ['service.gg'],
  // Resolvers return nullable fields as values or null; they cannot leave them out.
  outputs: { directory: 'out', types: 'service.types.ts', strictNulls: true },
  // Everything without effect is an error, and so is an edge without access settings if other edges have some.
  strict: true,
  // No federation queries.
  federation: false,
  server: { port: 4000 },
});
