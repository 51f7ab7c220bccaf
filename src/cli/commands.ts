import { federationCommand } from './commands/federation.js';
import type { CliCommandEntry, CliCommandGroup } from './terminal/command.js';

/** The registry of commands, in the order in which help lists them. A command is loaded when it is named. */
export const commands: readonly (CliCommandEntry | CliCommandGroup)[] = [
  {
    usage: 'init [directory]',
    summary: 'create a project: topology, resolvers, types, scripts',
    load: async () => (await import('./commands/init.js')).initCommand,
  },
  {
    usage: 'build [files...]',
    summary: 'write schema.graphql, openapi.json and collection.json',
    load: async () => (await import('./commands/build.js')).buildCommand,
  },
  {
    usage: 'check [files...]',
    summary: 'report errors and warnings in a topology',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  {
    usage: 'serve [files...]',
    summary: 'run the API of a topology: GraphQL and REST',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  {
    usage: 'dev [files...]',
    summary: 'check, serve and watch a topology',
    load: async () => (await import('./commands/dev.js')).devCommand,
  },
  {
    usage: 'test [workflows...]',
    summary: 'run the workflows of an API, events included',
    load: async () => (await import('./commands/test.js')).testCommand,
  },
  {
    usage: 'mcp [files...]',
    summary: 'run the API as tools for an agent, over stdio',
    load: async () => (await import('./commands/mcp.js')).mcpCommand,
  },
  {
    usage: 'types [files...]',
    summary: 'write TypeScript types for resolvers and REST clients',
    load: async () => (await import('./commands/types.js')).typesCommand,
  },
  {
    usage: 'import <file>',
    summary: 'make a topology of an OpenAPI, GraphQL or Postman description',
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  {
    usage: 'fmt [files...]',
    summary: 'format topologies, or check that they are formatted',
    load: async () => (await import('./commands/fmt.js')).fmtCommand,
  },
  {
    usage: 'graph [files...]',
    summary: 'draw a topology: Mermaid, DOT, SVG or PNG',
    load: async () => (await import('./commands/graph.js')).graphCommand,
  },
  {
    usage: 'docs [files...]',
    summary: 'write a static site: reference, graph, changelog',
    load: async () => (await import('./commands/docs.js')).docsCommand,
  },
  {
    usage: 'diff [operands...]',
    summary: 'list API changes and whether they break clients',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  federationCommand,
  {
    usage: 'lsp',
    summary: 'run the language server for editors',
    load: async () => (await import('./commands/lsp.js')).lspCommand,
  },
  {
    usage: 'explain <what...>',
    summary: 'explain a diagnostic, or where a part of the API comes from',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  {
    usage: 'completion <shell>',
    summary: 'print a completion script: bash, zsh or fish',
    load: async () => (await import('./commands/completion.js')).completionOf(commands),
  },
];
