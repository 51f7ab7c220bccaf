/** The paths that a server has for itself, beside the REST routes. */
export const serverPaths = {
  page: '/',
  openapi: '/openapi.json',
  collection: '/collection.json',
  asyncapi: '/asyncapi.json',
  sdl: '/schema.graphql',
  bundle: '/federation/bundle',
  live: '/health/live',
  ready: '/health/ready',
} as const;

/** The path of GraphQL unless the option `endpoint` gives another. */
export const defaultEndpoint = '/graphql';

/** The pages of the studio that others link: itself, and the reference, whose pages are below that path. */
export const studioPages = { page: '/_gg/', reference: '/_gg/reference/' } as const;

/** The path below which the default REST routes are served. */
export const restPrefix = '/api/';
