import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { LayoutThread } from '../../../src/tools/studio/layout-thread.js';

/** A module that answers with the text and the number of its thread, and never to `wait`. */
const worker = `
import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', ({ id, dot }) => {
  if (dot === 'throw') throw new Error('the thread is broken');
  if (dot === 'fail') parentPort.postMessage({ id, problem: 'syntax error' });
  else if (dot !== 'wait') parentPort.postMessage({ id, layout: { dot, threadId } });
});
`;

function moduleOf(text: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-layout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'worker.mjs'), text);
  return pathToFileURL(join(folder, 'worker.mjs'));
}

test('computes layouts in one thread', async () => {
  const thread = new LayoutThread(moduleOf(worker));
  onTestFinished(() => thread.end());
  const [one, two] = (await Promise.all(['one', 'two'].map((dot) => thread.layout(dot, {})))) as {
    dot: string;
    threadId: number;
  }[];
  expect([one?.dot, two?.dot]).toEqual(['one', 'two']);
  expect(one?.threadId).toBeGreaterThan(0);
  expect(two?.threadId).toBe(one?.threadId);
});

test('rejects only the layout that fails', async () => {
  const thread = new LayoutThread(moduleOf(worker));
  onTestFinished(() => thread.end());
  const failing = thread.layout('fail', {});
  await expect(failing).rejects.toThrow('syntax error');
  await expect(thread.layout('one', {})).resolves.toMatchObject({ dot: 'one' });
});

test('rejects layouts in progress if the thread ends, and starts another one for the next layout', async () => {
  const thread = new LayoutThread(moduleOf(worker));
  onTestFinished(() => thread.end());
  const { threadId: first } = (await thread.layout('one', {})) as { threadId: number };
  for (const end of [() => thread.end(), () => void thread.layout('throw', {}).catch(() => {})]) {
    const waiting = thread.layout('wait', {});
    end();
    await expect(waiting).rejects.toThrow();
    const { threadId } = (await thread.layout('two', {})) as { threadId: number };
    expect(threadId).toBeGreaterThan(first);
  }
});

test('computes layouts in the main thread if another one cannot be started', async () => {
  for (const module of [moduleOf('syntax error'), new URL('file:///nosuch/worker.mjs')]) {
    const thread = new LayoutThread(module);
    for (const dot of ['digraph { a -> b }', 'digraph { c }']) {
      expect(await thread.layout(dot, {})).toMatchObject({ directed: true });
    }
  }
});
