import { expect, test } from 'vitest';
import { createGqlServer } from '../../../../src/index.js';

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'a missing required argument %s is reported, although every object inherits such a property',
  async (name) => {
    const source = `(root)-[:PROCESS { ${name}: String! }]->(book { title: 'Emma' })`;
    const server = createGqlServer({ topologies: [{ name: 'books.gg', source }] });
    const missing = await server.fetch(new Request('http://localhost/api/book'));
    expect([missing.status, (await missing.json()).detail]).toEqual([400, `“${name}” is missing.`]);
    expect((await server.fetch(new Request(`http://localhost/api/book?${name}=a`))).status).toBe(200);
  },
);
