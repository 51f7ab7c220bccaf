// @ts-check

/** @import * as Api from './service.types.js' */

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
