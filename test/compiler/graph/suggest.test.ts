import { describe, expect, it } from 'vitest';
import { createSuggester, nameDistance } from '../../../src/compiler/graph/suggest.js';

describe('the distance of two names', () => {
  it.each([
    ['User', 'User', 0],
    ['user', 'User', 0.5],
    ['Usr', 'User', 1],
    ['Userr', 'User', 1],
    ['Usxr', 'User', 1],
    ['Uesr', 'User', 1],
    ['kitten', 'sitting', 3],
    ['abcd', 'badc', 2],
    ['abc', 'cab', 2],
    ['ab', 'bca', 3],
    ['aab', 'bba', 2],
    ['abc', '', 3],
    ['', 'abc', 3],
  ])('of %s and %s is %d', (one, other, distance) => {
    expect(nameDistance(one, other)).toBe(distance);
  });

  it('is not computed beyond the requested maximum', () => {
    expect(nameDistance('abcdefgh', 'stuvwxyz', 2)).toBe(3);
  });
});

describe('a suggester', () => {
  const { nearest } = createSuggester(['String', 'Status', 'State', 'User', 'Int', 'ID']);

  it.each([
    ['Usr', 'User'],
    ['USER', 'User'],
    ['Strng', 'String'],
    ['Stat', 'State'],
    ['id', 'ID'],
    ['Statue', 'Status'],
  ])('suggests %s for %s', (word, name) => {
    expect(nearest(word)).toBe(name);
  });

  it.each([
    ['ab', 'abc', true],
    ['axy', 'abc', false],
    ['abxy', 'abcd', true],
    ['axyz', 'abcd', false],
    ['abcdxy', 'abcdef', true],
    ['abcxyz', 'abcdef', false],
    ['abcdxyz', 'abcdefg', true],
    ['abcwxyz', 'abcdefg', false],
    ['abcd', 'abcdef', true],
    ['abcdef', 'abcd', true],
    ['abcdefg', 'abcdefghij', true],
    ['abcdefghij', 'abcdefg', true],
  ])('decides whether %s is near enough to %s: %s', (word, name, isNear) => {
    expect(createSuggester([name]).nearest(word)).toBe(isNear ? name : undefined);
  });

  it.each(['Parcel', 'X', ''])('suggests nothing for “%s”', (word) => {
    expect(nearest(word)).toBeUndefined();
  });

  it('suggests the first of equally near names of any length', () => {
    expect(createSuggester(['Cats', 'Ca']).nearest('Cat')).toBe('Cats');
    expect(createSuggester(['Ca', 'Cats']).nearest('Cat')).toBe('Ca');
  });

  it('stops after too many comparisons, and stays fast', () => {
    const names = Array.from({ length: 60_000 }, (_, index) => `Name${String(index).padStart(6, '0')}`);
    const busy = createSuggester(names);
    const answers = Array.from({ length: 20 }, () => busy.nearest('Nome000001'));
    expect(answers[0]).toBe('Name000001');
    expect(answers.at(-1)).toBeUndefined();
  });
});
