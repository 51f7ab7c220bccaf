import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { projectWith, serveProject, start } from '../../../docs/deployed.js';
import { freePort } from '../../../free-port.js';
import { buildProgram } from '../build-program.js';

/** Prints the datagrams of a socket, as systemd would receive them. */
const receiver = `
import socket, sys
channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
channel.bind(sys.argv[1])
print('bound', flush=True)
while True: print(channel.recv(4096).decode().replace(chr(10), ' '), flush=True)
`;

beforeAll(() => buildProgram());

test('a server notifies systemd when it is ready, and when it stops', async () => {
  const project = projectWith(
    {
      'shop.gg': "(root)-[:PROCESS]->(shop { name: 'Shop' })",
      'gg-svc.config.json': '{ "sources": ["shop.gg"] }',
    },
    ['graphql', 'graphql-yoga'],
  );
  writeFileSync(join(project, 'receiver.py'), receiver);
  const socket = join(project, 'notify.sock');
  const manager = start('python3', ['receiver.py', socket], project);
  await expect.poll(manager.said).toContain('bound');
  const server = await serveProject(project, await freePort(), { NOTIFY_SOCKET: socket });
  await expect.poll(manager.said).toContain('READY=1');
  expect(manager.said()).not.toContain('STOPPING=1');
  server.child.kill('SIGTERM');
  await expect.poll(manager.said).toContain('STOPPING=1');
  expect(await server.ended).toBe(0);
  expect(server.said()).not.toContain('warning');
});
