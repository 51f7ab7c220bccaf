/** What the files of a new project are made from. */
export interface ProjectSettings {
  /** A name that npm accepts. */
  readonly name: string;
  /** The packages that the project runs with, and the versions that go together. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The packages that it is worked on with. */
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** One file of a new project. */
export interface ProjectFile {
  readonly name: string;
  readonly text: string;
  /** What it is, in a few words. */
  readonly about: string;
}

/** The topology of a new project: one edge of each kind that makes an operation. */
export const topologyFile: ProjectFile = {
  name: 'service.gg',
  about: 'the topology: what the API is',
  text: `// The whole API. A node in parentheses is a type; an edge between two nodes is an operation:
// PROCESS a query, FOLD a mutation, FORK a subscription. Save the file, and it is served.

/// Something to do.
(task: Record {
  id: ID!,
  title: String!,
  done: Boolean! = false,
})

/// Finds a task.
(root)-[:PROCESS { operation: 'readTask', id: ID! }]->(task)

/// All tasks; only those that are done, or are not, when that is asked for.
(root)-[:PROCESS { operation: 'listTasks', done: Boolean, returns: [Task!]! }]->(task)

/// Adds a task.
(root)-[:FOLD { operation: 'addTask', title: String!, returns: Task! }]->(task)

/// Ticks a task off. The answer is null when there is no such task.
(root)-[:FOLD { operation: 'finishTask', id: ID! }]->(task)

/// Tells of every task that was added or finished.
(task)-[:FORK]->(task_changed: Event { id: ID!, title: String!, done: Boolean! })
`,
};

/** The name of the file with the types that `gg-svc types` makes. */
export const typesFileName = 'service.types.ts';

/** All files of a new project but the types, in the order in which they are shown. */
export function projectFiles({
  name,
  dependencies,
  devDependencies,
}: ProjectSettings): readonly ProjectFile[] {
  return [
    topologyFile,
    {
      name: 'service.resolvers.mjs',
      about: 'where the values come from; found by its name',
      text: `// @ts-check

/** @import * as Api from './${typesFileName.replace(/\.ts$/, '.js')}' */

/**
 * Tasks by id, for as long as the process lives. A real service asks its database here.
 *
 * @type {Map<string, Api.Task>}
 */
const tasks = new Map([['1', { id: '1', title: 'Look at the API', done: false }]]);

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
  // There is nothing to say of taskChanged: what a mutation returns is sent to those who listen.
};

export default resolvers;
`,
    },
    {
      name: 'package.json',
      about: 'what to install, and the scripts',
      text: json({
        name,
        private: true,
        type: 'module',
        scripts: {
          dev: `gg-svc dev service.gg --types ${typesFileName}`,
          build: 'gg-svc build service.gg -o out',
          check: `gg-svc fmt --check && gg-svc check service.gg && gg-svc types service.gg -o ${typesFileName} && tsc`,
        },
        dependencies,
        devDependencies,
      }),
    },
    {
      name: 'tsconfig.json',
      about: 'checks the resolvers against the types',
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
    { name: '.gitignore', about: 'what is made, not written', text: 'node_modules/\nout/\n' },
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
