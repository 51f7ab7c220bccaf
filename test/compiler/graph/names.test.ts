import { describe, expect, it } from 'vitest';
import { camelCaseOf, titleOf, typeNameOf, whyInvalidName } from '../../../src/compiler/graph/names.js';

describe('the type name of an id', () => {
  it.each([
    ['read_user', 'ReadUser'],
    ['readUser', 'ReadUser'],
    ['user', 'User'],
    ['User', 'User'],
    ['APIKey', 'APIKey'],
    ['api_key', 'ApiKey'],
    ['USER_ID', 'UserId'],
    ['A', 'A'],
    ['user__name_', 'UserName'],
    ['_private', '_Private'],
    ['__hidden', '__Hidden'],
    ['_', '_'],
    ['2', '_2'],
    ['1_10', '_1_10'],
    ['1_1_0', '_1_1_0'],
    ['2nd_try', '_2ndTry'],
    ['_2', '_2'],
    ['step_1', 'Step1'],
    ['step_1_2', 'Step1_2'],
    ['step_1a_2', 'Step1a2'],
  ])('%s becomes %s', (id, name) => {
    expect(typeNameOf(id)).toBe(name);
  });

  it('is a fixed point of the conversion, unless it has only capitals', () => {
    for (const id of ['read_user', 'APIKey', '1_10', '_private', 'step_1_2']) {
      expect(typeNameOf(typeNameOf(id))).toBe(typeNameOf(id));
    }
  });
});

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
const digits = Array.from({ length: 10 }, (_, at) => String(at));

describe('every letter and every digit', () => {
  it('is treated the same in a type name', () => {
    for (const letter of letters) {
      const capital = letter.toUpperCase();
      expect(typeNameOf(`${letter}${letter}_${letter}`)).toBe(`${capital}${letter}${capital}`);
      expect(typeNameOf(`A${letter}B`)).toBe(`A${letter}B`);
      expect(typeNameOf(`A${capital}B`)).toBe(`A${letter}b`);
    }
    for (const one of digits) {
      for (const other of digits) expect(typeNameOf(`${one}_${other}`)).toBe(`_${one}_${other}`);
    }
  });

  it('is treated the same in a camelCase name', () => {
    for (const letter of letters) {
      const capital = letter.toUpperCase();
      expect(camelCaseOf(`${capital}${letter}`)).toBe(`${letter}${letter}`);
      expect(camelCaseOf(`A${capital}${letter}`)).toBe(`a${capital}${letter}`);
      expect(camelCaseOf(`A${capital}`)).toBe(`a${letter}`);
    }
    for (const digit of digits) expect(camelCaseOf(`AB${digit}`)).toBe(`ab${digit}`);
  });

  it('is allowed in a GraphQL name, and no other ASCII character is', () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      expect(whyInvalidName(`a${character}`) === undefined, character).toBe(/\w/.test(character));
      expect(whyInvalidName(character) === undefined, character).toBe(/[A-Za-z_]/.test(character));
    }
  });
});

describe('the camelCase form of a type name', () => {
  it.each([
    ['ReadUser', 'readUser'],
    ['APIKey', 'apiKey'],
    ['Api', 'api'],
    ['API', 'api'],
    ['ID2', 'id2'],
    ['A', 'a'],
    ['AUser', 'aUser'],
    ['_Private', '_private'],
    ['_2', '_2'],
    ['_1_10', '_1_10'],
    ['Step1_2', 'step1_2'],
  ])('of %s is %s', (typeName, name) => {
    expect(camelCaseOf(typeName)).toBe(name);
  });
});

describe('a name in GraphQL', () => {
  it.each(['a', 'A1', '_', '_a', 'a__b'])('may be %s', (name) => {
    expect(whyInvalidName(name)).toBeUndefined();
  });

  it.each([
    ['', 'it is empty'],
    ['1a', 'it begins with a digit'],
    ['a-b', 'only the letters A–Z, digits and _ are allowed'],
    ['ä', 'only the letters A–Z, digits and _ are allowed'],
    ['__a', 'names that begin with __ are reserved by GraphQL'],
  ])('may not be “%s”', (name, reason) => {
    expect(whyInvalidName(name)).toBe(reason);
  });
});

describe('a name in words', () => {
  it.each([
    ['placeOrder', 'Place order'],
    ['readURL', 'Read URL'],
    ['APIKeyOfUser', 'API key of user'],
    ['listV2Orders', 'List V2 orders'],
    ['snake_case', 'Snake case'],
    ['_', '_'],
  ])('of %s is “%s”', (name, title) => {
    expect(titleOf(name)).toBe(title);
  });
});
