import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderPage } from '../../../../src/tools/cli/commands/explain.js';
import { commands } from '../../../../src/tools/cli/commands/registry.js';
import { reflow } from '../../../../src/tools/cli/terminal/reflow.js';
import { repository, runCli } from '../stand-in-io.js';

test('joins the lines of a paragraph, and breaks them at the width', () => {
  expect(reflow('one two\nthree four\n\nfive', 14)).toBe('one two three\nfour\n\nfive');
});

test('keeps all lines without a width', () => {
  expect(reflow('one two\nthree', undefined)).toBe('one two\nthree');
});

test('indents the further lines of items and of names with a text', () => {
  expect(reflow('- one two three\n  four\n- five', 12)).toBe('- one two\n  three four\n- five');
  expect(reflow('  cut   all connections', 16)).toBe('  cut   all\n        connections');
  expect(reflow('  a-long-name   text that follows', 24)).toBe('  a-long-name   text\n  that follows');
});

test('keeps commands, tables and words that are too long', () => {
  const text = '  $ gg-svc build service.gg -o out\n| a | b | c | d | e | f |\nsupercalifragilistic';
  expect(reflow(text, 12)).toBe(text);
});

test('puts what is said of a command below it', () => {
  expect(reflow('  $ gg-svc fmt    formats all files', 24)).toBe('  $ gg-svc fmt\n      formats all files');
});

test('breaks at the visible width of coloured words', () => {
  expect(reflow('\u001b[1mone\u001b[22m two three', 13)).toBe('\u001b[1mone\u001b[22m two three');
});

const pages = ['docs/help', 'docs/diagnostics'].flatMap((folder) =>
  readdirSync(new URL(folder, repository)).map((name) => `${folder}/${name}`),
);

test.each([60, 80])('help and explanations fit a terminal of %i columns, except commands and code', (columns) => {
  for (const page of pages) {
    const text = readFileSync(new URL(page, repository), 'utf8');
    const shown = page.endsWith('.md') ? renderPage(text, false, columns) : reflow(text, columns);
    // What has no spaces, what is code, and what is a table stays.
    const long = shown
      .split('\n')
      .filter(
        (line) => line.length > columns && !/^(?: {4}|\s*[$|])/.test(line) && /\S \S/.test(line.slice(0, columns)),
      );
    expect([page, long]).toEqual([page, []]);
  }
});

test('gg-svc prints help and explanations for the width of its terminal', async () => {
  for (const args of [
    ['explain', 'GG3001'],
    ['serve', '--help'],
  ]) {
    const wide = await runCli(args, { stdoutColumns: 200 });
    const narrow = await runCli(args, { stdoutColumns: 60 });
    expect(narrow.stdout.split('\n').length).toBeGreaterThan(wide.stdout.split('\n').length);
    expect(narrow.stdout.replace(/\s+/g, ' ')).toBe(wide.stdout.replace(/\s+/g, ' '));
  }
});

test.each(commands.map(({ usage }) => usage.split(' ')[0] as string))(
  'the help of gg-svc %s fits a terminal of 60 columns, except commands',
  async (name) => {
    const { stdout } = await runCli([name, '--help'], { stdoutColumns: 60 });
    const long = stdout.split('\n').filter((line) => line.length > 60 && !/^ *\$ /.test(line));
    expect(long).toEqual([]);
  },
);
