/** The versions of the OpenAPI Specification that documents are written in. */
export const openApiVersions = ['3.1', '3.2'] as const;

/** A version of the OpenAPI Specification. */
export type OpenApiVersion = (typeof openApiVersions)[number];
