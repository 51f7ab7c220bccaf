/** The values that are filled into the files of a new project. */
export interface ProjectSettings {
  /** A valid npm package name. */
  readonly name: string;
  /** Package names and version ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** One file of a new project. */
export interface ProjectFile {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/** The topology of a new project: one edge of each type that defines an operation. */
export const topologyFile: ProjectFile = {
  name: 'service.gg',
  about: 'the topology, which defines the API',
  text: `// The whole API. A node in parentheses is a type; an edge between two nodes is an operation:
// PROCESS is a query, FOLD a mutation, FORK a subscription. Save the file to reload the API.

/// Something to do.
(task: Record {
  id: ID!,
  title: String!,
  done: Boolean! = false,
})

/// Finds a task.
(root)-[:PROCESS { operation: 'readTask', id: ID! }]->(task)

/// Lists all tasks, or only those that are done or not done.
(root)-[:PROCESS { operation: 'listTasks', done: Boolean, returns: [Task!]! }]->(task)

/// Adds a task.
(root)-[:FOLD { operation: 'addTask', title: String!, returns: Task! }]->(task)

/// Marks a task as done. Returns null if the task does not exist.
(root)-[:FOLD { operation: 'finishTask', id: ID! }]->(task)

/// Sends every task that is added or finished.
(task)-[:FORK]->(task_changed: Event { id: ID!, title: String!, done: Boolean! })
`,
};

/** The file that `gg-svc types` generates. */
export const typesFileName = 'service.types.ts';

/** All files of a new project except the types, in the order in which they are listed. */
export function projectFiles({
  name,
  dependencies,
  devDependencies,
}: ProjectSettings): readonly ProjectFile[] {
  return [
    topologyFile,
    {
      name: 'service.resolvers.mjs',
      about: 'the resolvers, loaded automatically',
      text: `// @ts-check

/** @import * as Api from './${typesFileName.replace(/\.ts$/, '.js')}' */

/**
 * Tasks by id, in memory. A real service would query its database.
 *
 * @type {Map<string, Api.Task>}
 */
const tasks = new Map([['1', { id: '1', title: 'Try the API', done: false }]]);

/** @type {Api.Resolvers} */
const resolvers = {
  Query: {
    readTask: (_parent, { id }) => tasks.get(id),
    listTasks: (_parent, { done }) =>
      [...tasks.values()].filter((task) => done === undefined || done === null || task.done === done),
  },
  Mutation: {
    addTask: (_parent, { title }) => {
      const task = { id: String(tasks.size + 1), title, done: false };
      tasks.set(task.id, task);
      return task;
    },
    finishTask: (_parent, { id }) => {
      const task = tasks.get(id);
      if (task === undefined) return null;
      const finished = { ...task, done: true };
      tasks.set(id, finished);
      return finished;
    },
  },
  // taskChanged needs no resolver: the results of the mutations are published to its subscribers.
};

export default resolvers;
`,
    },
    {
      name: 'gg-svc.config.json',
      about: 'the project file: sources and outputs of all commands',
      text: json({
        $schema: './node_modules/gg-svc/gg-svc.config.schema.json',
        sources: [topologyFile.name],
        outputs: { directory: 'out', types: typesFileName },
      }),
    },
    {
      name: 'package.json',
      about: 'dependencies and scripts',
      text: json({
        name,
        private: true,
        type: 'module',
        scripts: {
          dev: 'gg-svc dev',
          build: 'gg-svc build',
          check: 'gg-svc fmt --check && gg-svc check && gg-svc types && tsc',
        },
        dependencies,
        devDependencies,
      }),
    },
    {
      name: 'tsconfig.json',
      about: 'type-checks the resolvers',
      text: json({
        compilerOptions: {
          strict: true,
          noEmit: true,
          checkJs: true,
          target: 'es2023',
          module: 'nodenext',
          skipLibCheck: true,
          types: [],
        },
        include: ['*.mjs', '*.ts'],
      }),
    },
    { name: '.gitignore', about: 'ignores generated files', text: 'node_modules/\nout/\n' },
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
