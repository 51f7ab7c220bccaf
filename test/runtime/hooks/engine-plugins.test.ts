import { describe, expect, test } from 'vitest';
import { createAlphaServer } from '../../../src/runtime/hosts/alpha/alpha-server.js';
import type { GqlServerOptions } from '../../../src/runtime/server/options.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';

const topologies = [{ name: 'a.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }];

const engines = {
  yoga: (options: GqlServerOptions) => createGqlServer(options),
  apollo: (options: GqlServerOptions) => createAlphaServer(options as never),
};

describe.each(Object.entries(engines))('%s', (engine, create) => {
  test.each([
    [null, 'plugins must be an object'],
    ['useCache', 'plugins must be an object'],
    [{ alpha: [] }, 'Unknown engine: plugins.alpha.'],
    [{ yoga: {} }, 'plugins.yoga must be a list of plugins.'],
    [{ apollo: [null] }, 'plugins.apollo must be a list of plugins.'],
    [{ apollo: [() => ({})] }, 'plugins.apollo must be a list of plugins.'],
  ])('rejects the plugins %j', (plugins, message) => {
    expect(() => create({ topologies, plugins: plugins as never })).toThrow(message);
  });

  test('rejects plugins that are all for the other engine', () => {
    const other = engine === 'yoga' ? 'apollo' : 'yoga';
    expect(() => create({ topologies, plugins: { [other]: [{}] } })).toThrow(`add plugins.${engine}`);
    expect(() => create({ topologies, plugins: { [other]: [{}], [engine]: [{}] } })).not.toThrow();
    expect(() => create({ topologies, plugins: { [other]: [] } })).not.toThrow();
  });
});
