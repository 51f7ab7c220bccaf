/** By the request: what makes the context of its operations, in place of the option `context`. */
const contexts = new WeakMap<Request, () => unknown>();

/**
 * Lets a host make the context of a request out of its own objects: Express and Fastify know more of a
 * request (a session, a user) than a `Request` can say.
 */
export function giveContext(request: Request, make: () => unknown): void {
  contexts.set(request, make);
}

/** What a host has given for the context of a request, if anything. */
export function givenContext(request: Request): (() => unknown) | undefined {
  return contexts.get(request);
}
