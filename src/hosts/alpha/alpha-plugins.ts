import type { ApolloServerPlugin, BaseContext } from '@apollo/server';
import { loadGraphiQL, plainTitle } from '../../http/graphql/graphiql.js';
import { hasPeer, requirePeer } from '../../load/load-peer.js';
import type { Service } from '../../server/service.js';

/**
 * The plugins that an Apollo Server of ours has beside those of the user. There is always at least one of
 * them, so that the configuration can be known by it.
 *
 * @param given - Those of the user; where they do the same, ours stay away.
 */
export function alphaPlugins<TContext extends BaseContext>(
  { endpoint, title, production }: Service,
  given: readonly ApolloServerPlugin<TContext>[],
): readonly ApolloServerPlugin<TContext>[] {
  const {
    ApolloServerPluginLandingPageDisabled,
    ApolloServerPluginCacheControlDisabled,
    ApolloServerPluginInlineTraceDisabled,
  } = requirePeer<typeof import('@apollo/server/plugin/disabled')>(
    ['@apollo/server', 'graphql'],
    '@apollo/server/plugin/disabled',
  );
  const has = (disabled: ApolloServerPlugin): boolean =>
    given.some((plugin) => idOf(plugin) === idOf(disabled));

  const plugins: ApolloServerPlugin<TContext>[] = [];
  // The page that Apollo would show loads its parts from a CDN.
  const noApolloPage = ApolloServerPluginLandingPageDisabled();
  if (!production && !has(noApolloPage) && hasPeer('@graphql-yoga/render-graphiql')) {
    plugins.push(queryPagePlugin(endpoint, title));
  }
  plugins.push(noApolloPage);
  // A topology has no cache hints, and without them this plugin would only wrap every resolver.
  const noCacheControl = ApolloServerPluginCacheControlDisabled();
  if (!has(noCacheControl)) plugins.push(noCacheControl);
  // Nor is it a subgraph of Apollo's federation, whose traces this one would put into answers.
  const noInlineTrace = ApolloServerPluginInlineTraceDisabled();
  if (!has(noInlineTrace)) plugins.push(noInlineTrace);
  return plugins;
}

function queryPagePlugin(endpoint: string, title: string): ApolloServerPlugin {
  const plugin: ApolloServerPlugin & { readonly __internal_installed_implicitly__: true } = {
    // Apollo lets one page be shown: one that the user gives goes before one that is marked so.
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

/** What Apollo knows its own plugins by: a plugin and the one that takes it away have the same. */
function idOf(plugin: object): string | undefined {
  return (plugin as { readonly __internal_plugin_id__?: string }).__internal_plugin_id__;
}
