import { expect, test } from 'vitest';
import { readCheck, readConstant } from '../../../../src/analysis/store/catalog/sql-constants.js';

test.each([
  [`'it''s'::text`, "it's"],
  ['(-5)', '-5'],
  [`'-5'::integer`, '-5'],
  ['2.5', '2.5'],
  ['TRUE', true],
  ['NULL::character varying', null],
])('reads the constant %s', (sql, value) => {
  expect(readConstant(sql)).toEqual({ value });
});

test.each([`nextval('a'::regclass)`, 'now()', '', '1 + 1', '- x', 'x'])('reads no constant in “%s”', (sql) => {
  expect(readConstant(sql)).toBeUndefined();
});

test.each([
  [
    `((size)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))`,
    'size',
    { values: ['a', 'b'], areNumbers: false },
  ],
  [`"size" IN ('a', 'b)')`, 'size', { values: ['a', 'b)'], areNumbers: false }],
  [`(size = 'a'::text)`, 'size', { values: ['a'], areNumbers: false }],
  ['"ok" IN (0, 1)', 'ok', { values: ['0', '1'], areNumbers: true }],
  ['((length(title) >= 2) AND (length(title) <= 90))', 'title', [{ minLength: 2 }, { maxLength: 90 }]],
  ['char_length((title)::text) > 0', 'title', { constraints: { minLength: 1 } }],
  ['length(title) < 9', 'title', { constraints: { maxLength: 8 } }],
  ['length(title) BETWEEN 1 AND 9', 'title', { constraints: { minLength: 1, maxLength: 9 } }],
  [`((n >= '-5'::integer) AND (n < (7)::double precision))`, 'n', [{ minimum: -5 }, { exclusiveMaximum: 7 }]],
  ['n BETWEEN -5 AND 5 AND n % 5 = 0', 'n', [{ minimum: -5, maximum: 5 }, { multipleOf: 5 }]],
])('reads the check %s', (sql, column, rule) => {
  const rules = Array.isArray(rule) ? rule.map((constraints) => ({ column, constraints })) : [{ column, ...rule }];
  expect(readCheck(sql)).toEqual(rules);
});

test.each([
  `size IS NULL OR size IN ('a')`,
  'NOT length(x) > 5',
  'length(x) = 5',
  'a > b',
  `x IN ('a', 1)`,
  'x IN (-1, 1)',
  '1 < x',
  'x % 2 = 1',
  `x > 'a'`,
  `x NOT IN ('a')`,
])('reads no check in “%s”', (sql) => {
  expect(readCheck(sql)).toBeUndefined();
});
