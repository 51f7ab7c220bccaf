import { ApolloServer } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import fastify from 'fastify';
import { createAlphaFastifyPlugin } from './node_modules/.build/hosts.mjs';

defineIntegrationTestSuite(async (config, options) => {
  const server = new ApolloServer(config);
  if (options?.serverIsStartedInBackground) {
    server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  }
  const app = fastify({ forceCloseConnections: true });
  await app.register(createAlphaFastifyPlugin(server, options?.context ? { context: options.context } : {}));
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { server, url: `${origin}/graphql`, extraCleanup: () => app.close() };
});
