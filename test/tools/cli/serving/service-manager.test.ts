import { expect, test, vi } from 'vitest';
import { createServiceManager } from '../../../../src/tools/cli/serving/service-manager.js';

test('a process without NOTIFY_SOCKET does not send notifications', () => {
  const stderr = vi.fn();
  const server = vi.fn();
  const manager = createServiceManager({ env: {}, stderr });
  manager.listening(server);
  manager.stopping();
  expect(server).not.toHaveBeenCalled();
});

test('a machine without systemd-notify gets a warning, and the server still becomes ready', async () => {
  const said: string[] = [];
  const statuses = [503, 503, 200];
  const asked: string[] = [];
  const manager = createServiceManager({
    env: { NOTIFY_SOCKET: '/nowhere', PATH: '/nowhere' },
    stderr: (text) => void said.push(text),
  });
  manager.listening(() => ({
    fetch({ url }) {
      asked.push(url);
      return new Response(null, { status: statuses.shift() ?? 500 });
    },
  }));
  await expect.poll(() => said.length).toBe(1);
  expect(asked).toHaveLength(3);
  expect(said[0]).toMatch(/^warning: systemd was not told READY=1: .*systemd-notify/);
});
