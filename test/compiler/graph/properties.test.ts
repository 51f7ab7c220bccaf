import { describe, expect, it } from 'vitest';
import { check, findingOf, fixed, project } from '../schema/check.js';

/** What one property makes of its node: the field, and what there is to say. */
const fields: readonly [property: string, field: string, ...findings: string[]][] = [
  // Types.
  ['p: ID', 'p: ID'],
  ['p: ID!', 'p: ID!'],
  ['p = String', 'p: String'],
  ['p: [String!]!', 'p: [String!]!'],
  ['p: [[Int]!]', 'p: [[Int]!]'],
  ['p: User', 'p: User'],
  ['p: [User!]!', 'p: [User!]!'],
  ['p: Status', 'p: Status'],
  ['p: Moment!', 'p: Moment!'],
  // Types with a default.
  ['p: Int = 20', 'p: Int = 20'],
  ['p: Int = -2147483648', 'p: Int = -2147483648'],
  ['p: Int! = -0', 'p: Int! = 0'],
  ['p: Int = null', 'p: Int = null'],
  ['p: Float = 1', 'p: Float = 1'],
  ['p: Float = 1.5e3', 'p: Float = 1500'],
  ['p: ID = 7', 'p: ID = "7"'],
  ['p: ID = 12345678901234567890', 'p: ID = "12345678901234567890"'],
  ["p: ID! = 'seven'", 'p: ID! = "seven"'],
  ['p: Boolean! = false', 'p: Boolean! = false'],
  ["p: String = ''", 'p: String = ""'],
  ['p: Status! = ACTIVE', 'p: Status! = "ACTIVE"'],
  ["p: Status = 'ACTIVE'", 'p: Status = "ACTIVE"'],
  ['p: [Status!]! = [ACTIVE, SUSPENDED]', 'p: [Status!]! = ["ACTIVE","SUSPENDED"]'],
  ['p: [Int] = [1, null]', 'p: [Int] = [1,null]'],
  ['p: [[Int!]!]! = [[1], []]', 'p: [[Int!]!]! = [[1],[]]'],
  ['p: User = null', 'p: User = null'],
  ["p: Moment = '2020-01-01'", 'p: Moment = "2020-01-01"'],
  ['p: Moment = [1, true]', 'p: Moment = [1,true]'],
  // Literals.
  ["p: 'text'", 'p: String! = "text"'],
  ["p: ''", 'p: String! = ""'],
  ['p = "5"', 'p: String! = "5"'],
  ['p: 5', 'p: Int! = 5'],
  ['p: -0', 'p: Int! = 0'],
  ['p: 2147483647', 'p: Int! = 2147483647'],
  ['p: 2147483648', 'p: Float! = 2147483648'],
  ['p: -2147483649', 'p: Float! = -2147483649'],
  ['p: 18446744073709551616', 'p: Float! = 18446744073709552000'],
  ['p: 0.5', 'p: Float! = 0.5'],
  ['p: 1.0', 'p: Float! = 1'],
  ['p: true', 'p: Boolean! = true'],
  ['p: [1, 2]', 'p: [Int!]! = [1,2]'],
  ['p: [1, 2.5]', 'p: [Float!]! = [1,2.5]'],
  ['p: [2.5, 1]', 'p: [Float!]! = [2.5,1]'],
  ["p: ['a', null]", 'p: [String]! = ["a",null]'],
  ['p: [[1], [2.5, null]]', 'p: [[Float]!]! = [[1],[2.5,null]]'],
  ['p: [[1], null]', 'p: [[Int!]]! = [[1],null]'],
  ['p: [[1, null], [2.5]]', 'p: [[Float]!]! = [[1,null],[2.5]]'],
  ['p: null', 'p: String = null', 'GG2015 «p: null»'],
  // Words and texts that are taken for something else.
  ['p: whatever', 'p: String! = "whatever"', 'GG2007 «whatever»'],
  ["p: 'String!'", 'p: String! = "String!"', "GG2009 «'String!'»"],
  ["p: '[User]!'", 'p: String! = "[User]!"', "GG2009 «'[User]!'»"],
  ["p: '[User!]'", 'p: String! = "[User!]"', "GG2009 «'[User!]'»"],
  ["p: 'Int'", 'p: String! = "Int"', "GG2009 «'Int'»"],
  ["p: 'User'", 'p: String! = "User"'],
  ["p: 'Hello!'", 'p: String! = "Hello!"'],
  ["p: 'Dear User!'", 'p: String! = "Dear User!"'],
  ["p: 'User, hello!'", 'p: String! = "User, hello!"'],
  ["p: '[1, 2]'", 'p: String! = "[1, 2]"'],
  ["p: '[User'", 'p: String! = "[User"'],
  ["p: '[[User]'", 'p: String! = "[[User]"'],
];

/** A property that is at fault: nothing is made of it but the finding. */
const faults: readonly [property: string, ...findings: string[]][] = [
  // Types that are not there.
  ['p: Usr!', 'GG2008 «Usr»'],
  ['p: [Usr]', 'GG2008 «Usr»'],
  ['p: [[Usr!]!]!', 'GG2008 «Usr»'],
  ['p: Usr = null', 'GG2008 «Usr»'],
  ['p: [red]', 'GG2008 «red»'],
  ['p: user!', 'GG2008 «user»'],
  ['p: StatusInput', 'GG2007 «StatusInput»'],
  ['p: [MomentInput]', 'GG2008 «MomentInput»'],
  // Lists without a type.
  ['p: []', 'GG2014 «[]»'],
  ['p: [null]', 'GG2014 «[null]»'],
  ["p: [1, 'a']", "GG2014 «[1, 'a']»"],
  ['p: [1, [1]]', 'GG2014 «[1, [1]]»'],
  ['p: [[1], 1]', 'GG2014 «[[1], 1]»'],
  ["p: [[1], ['a']]", "GG2014 «[[1], ['a']]»"],
  ['p: [[], [1]]', 'GG2014 «[[], [1]]»'],
  ['p: [true, 1]', 'GG2014 «[true, 1]»'],
  ['p: [red, green]', 'GG2014 «[red, green]»'],
  ["p: ['a', [b, c]]", "GG2014 «['a', [b, c]]»"],
  ['p: [1, 2]!', 'GG2014 «[1, 2]!»'],
  ['p: [1, [2, 3]!]', 'GG2014 «[1, [2, 3]!]»'],
  // Numbers.
  ['p: 1e999', 'GG2020 «1e999»'],
  ['p: 9007199254740993', 'GG2020 «9007199254740993»'],
  ['p: [1, 9007199254740993]', 'GG2020 «9007199254740993»'],
  // A default after a value.
  ["p: 'a' = 'b'", "GG2019 «'a'»"],
  ['p: [1, 2] = null', 'GG2019 «[1, 2]»'],
];

/** A default that does not fit: the field is there without it. */
const misfits: readonly [type: string, value: string][] = [
  ['Int', '1.5'],
  ['Int', '1.0'],
  ['Int', '2147483648'],
  ['Int', "'5'"],
  ['Int!', 'null'],
  ['Int', 'many'],
  ['Float', "'1'"],
  ['Float', '1e999'],
  ['ID', '1.5'],
  ['ID', 'true'],
  ['ID', '1e999'],
  ['String', '5'],
  ['String', 'word'],
  ['Boolean', '1'],
  ['Boolean', "'true'"],
  ['Status', 'ACTVE'],
  ['Status', 'ACTIVE!'],
  ['Status', "'active'"],
  ['Status', '5'],
  ['Moment', 'now'],
  ['Moment', '1e999'],
  ['Moment', '[a, b]'],
  ['User', "'someone'"],
  ['UserInput', '5'],
  ['[Int]', '5'],
  ['[Int!]', '[1, null]'],
  ['[Int!]!', '[1, [2]]'],
  ['[Int]', '[1]!'],
  ['[[Int]]', '[1]'],
];

const around = (property: string) => `
  (thing { ${property} })
  (user { name: String })
  (status: Enum { values: [ACTIVE, SUSPENDED] })
  (moment: Scalar)
`;

describe('a property of a node', () => {
  it.each(fields)('%s is the field %s', (property, field, ...findings) => {
    check(around(property), { has: [`type Thing { ${field} }`], findings });
  });

  it.each(faults)('%s is an error', (property, ...findings) => {
    const isText = findings[0]?.startsWith('GG2007');
    check(around(property), isText ? { findings } : { has: ['type Thing { id: ID! = "thing" }'], findings });
  });

  it.each(misfits)('%s = %s does not fit', (type, value) => {
    const named = type === 'UserInput' ? [`GG3013 «p: ${type} = ${value}»`] : [];
    check(around(`p: ${type} = ${value}`), {
      has: [`type Thing { p: ${type} }`],
      findings: [...named, `GG2013 «${value}»`],
    });
  });

  it('may name the union of a race, by its own name or by the one it was given', () => {
    check(
      `(thing { one: CRace, other: Pick })
       (a | b)-[:RACE]->(c)
       (a | b)-[:RACE { union: 'Pick' }]->(d)`,
      { has: ['type Thing { one: CRace, other: Pick }', 'input ThingInput { one: CInput, other: DInput }'] },
    );
  });

  it('cannot name the target of another edge as a union', () => {
    check('(thing { p: CRace! }) (a)-[:PROCESS]->(c)', { findings: ['GG2008 «CRace»'] });
  });

  it('may name a union regardless of other settings of the race', () => {
    check("(thing { p: DRace! }) (a | b)-[:RACE { note: 'Pick' }]->(d)", { findings: [] });
  });

  it('turns negative zero into zero', () => {
    const { fields } = project('(a { i: Int = -0, f: Float = -0.0, n: -0 })').ir.nodes.get('a') ?? {};
    expect(fields?.map(({ fallback }) => fallback)).toEqual([0, 0, 0]);
  });

  it('cannot have a name that GraphQL does not allow', () => {
    check('(a { __x: Int, y: Int })', { findings: ['GG3008 «__x»'] });
  });

  it('has its doc comment as its description', () => {
    const { schema } = project('(a {\n /// What it is for.\n p: Int })');
    expect(schema.objects[0]?.fields[0]?.description).toBe('What it is for.');
    expect(schema.inputs[0]?.fields[0]?.description).toBe('What it is for.');
  });
});

describe('a hint', () => {
  it.each([
    ['p: Usr!', 'GG2008', 'Did you mean User?'],
    ['p: user!', 'GG2008', 'Did you mean User?'],
    [
      'p: Parcel!',
      'GG2008',
      'Declare it as a node, (parcel { … }) or (parcel: Scalar), or use String, Int, Float, Boolean or ID.',
    ],
    ['p: Strin', 'GG2007', "Did you mean String? Write 'Strin' to declare a string."],
    ['p: moment', 'GG2007', "Did you mean Moment? Write 'moment' to declare a string."],
    ['p: quux', 'GG2007', "Write 'quux' to declare a string."],
    ['p: many', 'GG2007', "Write 'many' to declare a string."],
    ['p: Datetime!', 'GG2008', 'Did you mean DateTime?'],
    ['p: Uuid!', 'GG2008', 'Did you mean UUID?'],
    ['p: uuid', 'GG2007', "Did you mean UUID? Write 'uuid' to declare a string."],
    ['p: EmailAdress!', 'GG2008', 'Did you mean EmailAddress?'],
    ['p: Status = ACTVE', 'GG2013', 'Did you mean ACTIVE?'],
    ['p: String = word', 'GG2013', "Did you mean 'word'?"],
  ])('for %s (%s) is: %s', (property, code, hint) => {
    expect(findingOf(around(property), code).hint).toBe(hint);
  });

  it.each([
    ['Int', 'many'],
    ['Status', 'NOTHING_LIKE_IT'],
    ['String', '5'],
    ['Int', '1.5'],
  ])('is missing for %s = %s, without a similar word', (type, value) => {
    const finding = findingOf(around(`p: ${type} = ${value}`), 'GG2013');
    expect(finding.hint).toBeUndefined();
    expect(finding.fix).toBeUndefined();
  });
});

describe('a fix', () => {
  it.each([
    ['p: Usr!', 'GG2008', 'p: User!'],
    ['p: [user!]', 'GG2008', 'p: [User!]'],
    ['p: Strin', 'GG2007', 'p: String'],
    ['p: quux', 'GG2007', "p: 'quux'"],
    ["p: '[Int!]!'", 'GG2009', 'p: [Int!]!'],
    ['p: Status = ACTVE', 'GG2013', 'p: Status = ACTIVE'],
    ["p: Status = 'ACTVE'", 'GG2013', 'p: Status = ACTIVE'],
    ['p: Status = ACTIVE!', 'GG2013', 'p: Status = ACTIVE'],
    ['p: String! = word', 'GG2013', "p: String! = 'word'"],
  ])('of %s (%s) is %s and resolves the finding', (property, code, repaired) => {
    expect(fixed(around(property), code)).toBe(around(repaired));
    check(around(repaired), {});
  });

  it.each([
    ['p: Usr!', 'GG2008', 'Write User'],
    ['p: quux', 'GG2007', "Write 'quux'"],
    ["p: 'Int'", 'GG2009', 'Remove the quotes'],
    ['p: Status = ACTVE', 'GG2013', 'Write ACTIVE'],
  ])('of %s (%s) is called “%s”', (property, code, description) => {
    expect(findingOf(around(property), code).fix?.description).toBe(description);
  });

  it('is missing without a similar word', () => {
    expect(findingOf(around('p: Parcel!'), 'GG2008').fix).toBeUndefined();
  });
});

describe('a list without a type', () => {
  it.each([
    ['[]', 'it is empty'],
    ['[null]', 'it holds nothing but null'],
    ["[1, 'a']", 'it holds both Int and String'],
    ['[[1], true]', 'it holds both [Int] and Boolean'],
    ['[1, 2]!', 'a ! follows it, which is only allowed after a type'],
    ["['a', [b, c]]", '“b” is not in quotes'],
  ])('%s is reported with the reason: %s', (list, reason) => {
    const { message } = findingOf(around(`p: ${list}`), 'GG2014');
    expect(message).toBe(`Cannot infer the type of this list: ${reason}.`);
  });
});
