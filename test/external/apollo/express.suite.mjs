import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import express from 'express';
import { createAlphaExpressMiddleware } from './node_modules/.build/hosts.mjs';

defineIntegrationTestSuite(async (config, options) => {
  const server = new ApolloServer(config);
  if (options?.serverIsStartedInBackground) {
    server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  }
  const app = express();
  app.use(await createAlphaExpressMiddleware(server, options?.context ? { context: options.context } : {}));
  const http = createServer(app);
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    server,
    url: `http://127.0.0.1:${http.address().port}/graphql`,
    extraCleanup: () => {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(resolve));
    },
  };
});
