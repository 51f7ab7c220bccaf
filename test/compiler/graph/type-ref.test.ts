import { describe, expect, it } from 'vitest';
import {
  baseName,
  listOf,
  named,
  nonNull,
  nullable,
  printTypeRef,
  sameType,
  type TypeRef,
  withBaseName,
} from '../../../src/compiler/graph/type-ref.js';

const users = nonNull(listOf(nonNull(named('User'))));

describe('a type reference', () => {
  it('is printed as GraphQL writes it', () => {
    expect(printTypeRef(users)).toBe('[User!]!');
  });

  it('has an innermost name, which can be replaced', () => {
    expect(baseName(users)).toBe('User');
    expect(printTypeRef(withBaseName(users, 'UserInput'))).toBe('[UserInput!]!');
  });

  it('is non-null at most once', () => {
    expect(nonNull(users)).toBe(users);
    expect(printTypeRef(nullable(users))).toBe('[User!]');
    expect(printTypeRef(nullable(named('User')))).toBe('User');
  });

  const types: readonly TypeRef[] = [
    named('A'),
    named('B'),
    nonNull(named('A')),
    listOf(named('A')),
    nonNull(listOf(named('A'))),
    listOf(listOf(named('A'))),
    listOf(nonNull(named('A'))),
  ];

  it('equals another one with the same notation', () => {
    for (const one of types) {
      for (const other of types) {
        expect(sameType(one, structuredClone(other))).toBe(printTypeRef(one) === printTypeRef(other));
      }
    }
  });
});
