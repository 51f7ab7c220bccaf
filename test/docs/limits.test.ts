import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultLimits, resolveLimits } from '../../src/runtime/limits/limits.js';

describe('docs/limits.md', () => {
  const rows = new Map(
    [...readFileSync('docs/limits.md', 'utf8').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(
      ([, name = '', text = '']) => [name, text],
    ),
  );

  it('has a row for every limit, and for nothing else', () => {
    expect([...rows.keys()].sort()).toEqual(Object.keys(resolveLimits({}, false)).sort());
  });

  it('lists the actual defaults', () => {
    for (const [name, value] of Object.entries(defaultLimits)) {
      expect([name, Number.parseInt(rows.get(name) ?? '', 10)]).toEqual([name, value]);
    }
    const [development, production] = [resolveLimits({}, false), resolveLimits({}, true)];
    const told = (name: 'introspection' | 'masking') =>
      `\`${development[name]}\`; in production \`${production[name]}\``;
    expect(rows.get('introspection')).toBe(told('introspection'));
    expect(rows.get('masking')).toBe(told('masking'));
    expect(rows.get('csrf')).toBe(`\`${development.csrf}\``);
    expect([rows.get('batching'), development.batching]).toEqual(['`false`', 0]);
  });
});
