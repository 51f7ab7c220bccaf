import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { graphMethod, type TopologyGraph } from '../../src/tools/language-server/features/topology-graph.js';
import type { FromPreview, ToPreview } from '../../web/preview/messages.js';
import { startClient } from '../tools/language-server/client.js';
import { checkAccessibility, openPage } from './browser.js';
import { takeShots } from './panel.js';
import { serveFolder } from './static-server.js';
import { parcel, service } from './studio-page.js';

// The graph preview of the extension for Visual Studio Code, with the content security policy of its webview. The real
// one is in test/editors/vscode.long.test.ts.

async function openPreview(theme: 'vscode-light' | 'vscode-dark'): Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-preview-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await build({
    entryPoints: { main: 'web/preview/main.tsx', style: 'web/preview/preview.css' },
    outdir: folder,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Graph</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'; img-src data:">
<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css"></head>
<body class="${theme}"><script src="editor.js"></script><script type="module" src="main.js"></script></body></html>`,
  );
  writeFileSync(
    join(folder, 'editor.js'),
    'window.sent = []; window.acquireVsCodeApi = () => ({ postMessage: (message) => window.sent.push(message) });',
  );
  return openPage(await serveFolder(folder, '/preview/'));
}

const send = (page: Page, message: ToPreview) =>
  page.evaluate(`dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(message)} }))`);

async function graphOf(files: Readonly<Record<string, string>>, name: string): Promise<ToPreview> {
  const client = await startClient(files);
  const textDocument = { uri: client.uri(name) };
  const graph = await client.request<TopologyGraph>(graphMethod, { textDocument });
  if (!('drawing' in graph)) throw new Error(graph.problem);
  return { kind: 'graph', title: name, drawing: graph.drawing };
}

test.each(['vscode-light', 'vscode-dark'] as const)(
  'the preview in %s passes axe: empty, drawn, selected, with errors',
  async (theme) => {
    const page = await openPreview(theme);
    expect(await page.evaluate('window.sent')).toEqual([{ kind: 'ready' }]);
    await checkAccessibility(page);
    for (const [files, name] of [
      [service, 'service.gg'],
      [parcel, 'main.gg'],
    ] as const) {
      const graph = await graphOf(files, name);
      await send(page, graph);
      await page.getByRole('main', { name }).locator('svg').first().waitFor();
      await checkAccessibility(page);
      await page.locator('.graph .box').nth(2).focus();
      await page.keyboard.press('Enter');
      await checkAccessibility(page);
      await send(page, { ...graph, problem: 'The topology has errors: 1.' } as ToPreview);
      await page.getByText('The graph is that of the last topology without errors.').waitFor();
      await checkAccessibility(page);
    }
    const sent = (await page.evaluate('window.sent')) as FromPreview[];
    expect(sent.filter(({ kind }) => kind === 'reveal')).toHaveLength(2);
    await send(page, { kind: 'graph', title: 'broken.gg', problem: 'The topology has errors: 2.' });
    await page.getByText('The topology has errors: 2.').waitFor();
    await checkAccessibility(page);
    await takeShots(page, `preview-${theme}`);
  },
);
