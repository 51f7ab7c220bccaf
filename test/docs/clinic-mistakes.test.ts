import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { findStoreProblems } from '../../src/analysis/store/findings.js';
import { analyze } from '../../src/compiler/analyze.js';
import type { GqlServer } from '../../src/index.js';
import { answerOf, clinic } from './clinic-mistakes.js';
import { codeBlocks } from './markdown.js';

describe('docs/clinic-mistakes.md', () => {
  const page = readFileSync('docs/clinic-mistakes.md', 'utf8');
  const [nodes] = codeBlocks(page);
  const written = [...page.matchAll(/^\| `(.*)` \| (.*) \| \[(GG\d+)\]/gm)];
  const sent = [...page.matchAll(/^\| (\w+) \| `(.*)` \| (.*) \|$/gm)];

  let server: GqlServer;
  beforeAll(() => {
    server = clinic();
  });

  test('has at least sixty mistakes', () => {
    expect(written.length).toBeGreaterThanOrEqual(60);
    expect(written.length + sent.length).toBeGreaterThan(90);
  });

  test.each(written.map(([, text = '', message = '', code = '']) => [text, message, code]))(
    'shows the one finding about %s',
    (text, message, code) => {
      const { diagnostics, schema } = analyze(`${nodes?.text}\n${text.replaceAll(' ↵ ', '\n')}`);
      const findings = [...diagnostics, ...findStoreProblems(schema)].filter(
        (finding) => finding.severity !== 'information' || finding.code === code,
      );
      expect(findings.map((finding) => [finding.message, finding.code])).toEqual([[message, code]]);
    },
  );

  test.each(sent.map(([, caller = '', request = '', answer = '']) => [caller, request, answer]))(
    'shows what %s gets for %s',
    async (caller, request, answer) => {
      expect(await answerOf(server, caller, request)).toBe(answer);
    },
  );
});
