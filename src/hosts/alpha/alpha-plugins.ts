import type { ApolloServerPlugin, BaseContext } from '@apollo/server';
import { loadGraphiQL, plainTitle } from '../../http/graphql/graphiql.js';
import { hasPeer, requirePeer } from '../../load/load-peer.js';
import type { Service } from '../../server/gql-service.js';

/**
 * The plugins that this package adds to an Apollo Server. There is always at least one, which identifies the
 * configuration.
 *
 * @param given - The plugins of the user. They replace ours with the same purpose.
 */
export function alphaPlugins<TContext extends BaseContext>(
  { endpoint, title, production }: Service,
  given: readonly ApolloServerPlugin<TContext>[],
): readonly ApolloServerPlugin<TContext>[] {
  const apollo = requirePeer<typeof import('@apollo/server/plugin/disabled')>(
    ['@apollo/server', 'graphql'],
    '@apollo/server/plugin/disabled',
  );
  const has = (disabled: ApolloServerPlugin): boolean =>
    given.some((plugin) => idOf(plugin) === idOf(disabled));

  const plugins: ApolloServerPlugin<TContext>[] = [];
  // Apollo's own landing page loads files from a CDN.
  const noApolloPage = apollo.ApolloServerPluginLandingPageDisabled();
  if (!production && !has(noApolloPage) && hasPeer('@graphql-yoga/render-graphiql')) {
    plugins.push(queryPagePlugin(endpoint, title));
  }
  plugins.push(noApolloPage);
  // A topology has no cache hints, so this plugin would only wrap every resolver.
  const noCacheControl = apollo.ApolloServerPluginCacheControlDisabled();
  if (!has(noCacheControl)) plugins.push(noCacheControl);
  // The server is not an Apollo Federation subgraph, for which this plugin adds traces to responses.
  const noInlineTrace = apollo.ApolloServerPluginInlineTraceDisabled();
  if (!has(noInlineTrace)) plugins.push(noInlineTrace);
  return plugins;
}

function queryPagePlugin(endpoint: string, title: string): ApolloServerPlugin {
  const plugin: ApolloServerPlugin & { readonly __internal_installed_implicitly__: true } = {
    // Apollo serves one landing page. A page of the user replaces the one with this mark.
    __internal_installed_implicitly__: true,
    async serverWillStart() {
      const renderGraphiQL = await loadGraphiQL();
      if (renderGraphiQL === undefined) return;
      const html = renderGraphiQL({ endpoint, title: plainTitle(title) });
      return { renderLandingPage: async () => ({ html }) };
    },
  };
  return plugin;
}

/** The id of an Apollo plugin. The plugin that disables it has the same id. */
function idOf(plugin: object): string | undefined {
  return (plugin as { readonly __internal_plugin_id__?: string }).__internal_plugin_id__;
}
