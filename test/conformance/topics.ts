import type { Host } from './hosts.js';
import { agents } from './topics/agents.js';
import { authentication } from './topics/authentication.js';
import { caching } from './topics/caching.js';
import { channels } from './topics/channels.js';
import { constraints } from './topics/constraints.js';
import { cors } from './topics/cors.js';
import { cutStreams } from './topics/cut-streams.js';
import { documents } from './topics/documents.js';
import { drain } from './topics/drain.js';
import { errorOrigins } from './topics/error-origins.js';
import { errors } from './topics/errors.js';
import { federation } from './topics/federation.js';
import { graphql } from './topics/graphql.js';
import { health } from './topics/health.js';
import { hooks } from './topics/hooks.js';
import { hostileValues } from './topics/hostile-values.js';
import { impossibleAnswers } from './topics/impossible-answers.js';
import { limits } from './topics/limits.js';
import { pages } from './topics/pages.js';
import { problems } from './topics/problems.js';
import { proxies } from './topics/proxies.js';
import { rates } from './topics/rates.js';
import { references } from './topics/references.js';
import { repeats } from './topics/repeats.js';
import { rest } from './topics/rest.js';
import { routes } from './topics/routes.js';
import { secrecy } from './topics/secrecy.js';
import { pathSpellings } from './topics/spellings.js';
import { requestSteps } from './topics/steps.js';
import { streams } from './topics/streams.js';
import { subscriptions } from './topics/subscriptions.js';
import { uploads } from './topics/uploads.js';
import { watched } from './topics/watched.js';

/** One thing that has to hold on every host. */
export interface Topic {
  readonly name: string;
  /** Whether it counts requests, some of which are sent twice when the host is behind Prism. */
  readonly countsRequests?: true;
  /** Declares its tests for a host; what it starts is closed when the host is done. */
  define(host: Host): void;
}

/** All topics. One more is a file in `topics/` and a line here. */
export const topics: readonly Topic[] = [
  agents,
  graphql,
  rest,
  routes,
  documents,
  health,
  errors,
  errorOrigins,
  references,
  problems,
  pages,
  subscriptions,
  streams,
  limits,
  federation,
  authentication,
  requestSteps,
  hostileValues,
  impossibleAnswers,
  pathSpellings,
  caching,
  hooks,
  secrecy,
  channels,
  constraints,
  proxies,
  cors,
  rates,
  watched,
  repeats,
  uploads,
  drain,
  cutStreams,
];
