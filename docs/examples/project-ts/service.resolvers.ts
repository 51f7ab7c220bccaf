import type { RequestContext } from 'gg-svc';
import type { CompleteResolvers, Task } from './service.types.ts';

/** Tasks by id, in memory. A real service would query its database. */
const tasks = new Map<string, Task>([['1', { id: '1', title: 'Try the API', done: false }]]);

function save(id: string, task: Omit<Task, 'id'>): Task {
  const saved = { ...task, id };
  tasks.set(id, saved);
  return saved;
}

/** A query or a mutation without a resolver does not compile. */
const resolvers: CompleteResolvers<RequestContext> = {
  Query: {
    readTask: (_parent, { id }) => tasks.get(id),
    listTasks: (_parent, { done }) =>
      [...tasks.values()].filter((task) => done === undefined || done === null || task.done === done),
  },
  Mutation: {
    addTask: (_parent, { title }) => save(String(tasks.size + 1), { title, done: false }),
    finishTask: (_parent, { id }) => {
      const task = tasks.get(id);
      return task === undefined ? null : save(id, { ...task, done: true });
    },
  },
  // taskChanged needs no resolver: the results of the mutations are published to its subscribers.
};

export default resolvers;
