import { isWebUrl } from '../../../base/source/parse-url.js';
import { defined } from '../../../base/values/defined.js';
import { bearerJwt } from '../../../runtime/auth/bearer-jwt.js';
import { ProblemError } from '../../../runtime/call/problem.js';
import type { Resolvers } from '../../../runtime/execute/resolvers/contract.js';
import type { OperationGuards } from '../../../runtime/hooks/operation-guards.js';
import { stdinName } from '../../../runtime/load/user-module.js';
import { fittingTo, serverOptionsOf } from '../../../runtime/server/load-config.js';
import type { VersionSource } from '../../studio/versions.js';
import { readTopology } from '../files/read-topology.js';
import { Repository } from '../files/repository.js';
import { developmentSigning } from '../files/signing.js';
import { filesFor, readRevisionTree, toLocal } from '../files/trees.js';
import { CommandFailure, type Invocation } from '../terminal/command.js';
import { type ApiLoaders, chooseModule } from './modules.js';
import { startServer } from './open-api.js';

/** The number of commits that the studio lists. */
const most = 50;

/** The versions of the topology of a command. git is not started before a page asks for commits. */
export function versionsOf(started: Invocation, loaders: ApiLoaders): VersionSource {
  const { operands, options, io } = started;
  const { project, projectPath } = options;
  return {
    async commits(files) {
      const local = files.filter((file) => file !== stdinName && !isWebUrl(file));
      return local.length === 0 ? [] : (await Repository.open(io)).log(local, most);
    },
    read: (commit) =>
      explained(async () => {
        const revision = { name: commit, commit };
        const place = { imports: project?.imports, path: projectPath };
        const tree = await readRevisionTree(await Repository.open(io), revision, [], place);
        const files = operands.flatMap((operand) => filesFor(tree, toLocal(operand, io.directory)));
        if (files.length > 0) return readTopology(files, io, options, tree.loader);
        throw new ProblemError({ status: 404, detail: `This version has no ${operands.join(', ')}.` });
      }),
    serve: (analysis) =>
      explained(async () => {
        const { endpoint, limits, auth, owners, store } = project?.server ?? {};
        // Replays count for no limit, publish nothing to a broker, and write to no database: any of the versions may have
        // durable chains, whose steps are not replayed.
        const server = { ...defined({ endpoint, limits, auth, owners }), runs: { file: ':memory:' } };
        const settings = { ...options, mock: options.mock === true || store !== undefined };
        const [resolvers, context] = [chooseModule('resolvers', started), chooseModule('context', started)];
        const loaded = resolvers.path ? await loaders.resolvers.load(resolvers.path) : undefined;
        const contextual = context.path ? await loaders.context.load(context.path) : undefined;
        const unusable = [loaded, contextual].flatMap((one) => one?.diagnostic ?? []);
        // Without its resolvers or its authentication, it would answer otherwise.
        if (unusable.length > 0) throw new CommandFailure(unusable);
        const [given, module] = [loaded?.value, contextual?.value];
        const own = serverOptionsOf({ ...project, server }, given);
        const guards = module?.guards && fittingTo(analysis.schema, module.guards as Resolvers);
        const signing = async () => {
          const key = await developmentSigning(io);
          return key && bearerJwt(key);
        };
        const created = await startServer(
          {
            ...own,
            ...(own.resolvers && { resolvers: fittingTo(analysis.schema, own.resolvers) }),
            topologies: analysis,
            mcp: false,
          },
          { engine: 'beta', ...(analysis.schema.security && { fallback: signing }) },
          { ...settings, project: { ...project, server } },
          {
            path: context.path,
            ...(module && { value: { ...module, ...(guards && { guards: guards as OperationGuards }) } }),
          },
          io.directory,
        );
        if (!Array.isArray(created)) return created as Exclude<typeof created, readonly unknown[]>;
        throw new CommandFailure(created);
      }),
  };
}

/** A mistake of the user is a problem for the page. */
async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new ProblemError({ status: 409, detail: `The version cannot be used: ${error.message}` });
  }
}
