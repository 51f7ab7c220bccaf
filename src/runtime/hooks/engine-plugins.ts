import type { ApolloServerPlugin } from '@apollo/server';
import { OptionError } from '../../base/diagnostics/option-error.js';

/**
 * A plugin of GraphQL Yoga, such as its type `Plugin`, which types the hooks: `{ … } satisfies Plugin`. The types of
 * Yoga are not named here, because they do not compile without `skipLibCheck` in every project.
 */
export type YogaPlugin = Readonly<
  Partial<
    Record<
      | 'onContextBuilding'
      | 'onDispose'
      | 'onEnveloped'
      | 'onExecute'
      | 'onExecutionResult'
      | 'onParams'
      | 'onParse'
      | 'onPluginInit'
      | 'onRequest'
      | 'onRequestParse'
      | 'onResponse'
      | 'onResultProcess'
      | 'onSchemaChange'
      | 'onSubscribe'
      | 'onValidate'
      | 'onYogaInit',
      // biome-ignore lint/suspicious/noExplicitAny: the types of the hooks are those of Yoga.
      (...parameters: any[]) => any
    >
  >
> & { readonly instrumentation?: object };

/**
 * The plugins of the GraphQL engines. They get the requests of the GraphQL path, and neither REST nor WebSocket. A
 * server with plugins passes every GraphQL request to its engine.
 */
export interface EnginePlugins {
  /** The plugins for servers on GraphQL Yoga, in order. */
  readonly yoga?: readonly YogaPlugin[];
  /** The plugins for servers on Apollo Server, in order, before those of its own options. */
  readonly apollo?: readonly ApolloServerPlugin<never>[];
}

const names = { yoga: 'GraphQL Yoga', apollo: 'Apollo Server' };

/**
 * The plugins for one engine.
 *
 * @throws {TypeError} If they are not lists of objects, or all of them are for the other engine: a list of allowed
 *   operations, for example, would have no effect.
 */
export function enginePluginsOf<Engine extends keyof EnginePlugins>(
  engine: Engine,
  plugins: EnginePlugins | undefined,
): NonNullable<EnginePlugins[Engine]> {
  if (plugins === undefined) return [];
  if (typeof plugins !== 'object' || plugins === null) {
    throw new OptionError('plugins', 'be an object: { yoga: [...], apollo: [...] }');
  }
  for (const [name, list] of Object.entries(plugins)) {
    if (!Object.hasOwn(names, name))
      throw new OptionError('plugins', 'be of an engine', `Unknown engine: plugins.${name}.`);
    const isList = Array.isArray(list) && list.every((plugin) => typeof plugin === 'object' && plugin !== null);
    if (list !== undefined && !isList) throw new OptionError(`plugins.${name}`, 'be a list of plugins');
  }
  const other = engine === 'yoga' ? 'apollo' : 'yoga';
  const given = plugins[engine] ?? [];
  if (given.length === 0 && (plugins[other] ?? []).length > 0) {
    throw new OptionError(
      'plugins',
      `have some for ${names[engine]}`,
      `All plugins are for ${names[other]}, but the engine of this server is ${names[engine]}: add plugins.${engine}.`,
    );
  }
  return given;
}
