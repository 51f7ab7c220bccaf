// @ts-check

/** @type {import('gg-svc').ProjectConfig} */
export default {
  sources: ['service.gg'],
  outputs: { directory: 'out', types: 'service.types.ts' },
  server: {
    // For production; node_modules/gg-svc/docs/deployment.md describes these.
    // Pages of other origins may read answers:
    // cors: { origins: ['http://localhost:3000'] },
  },
};
