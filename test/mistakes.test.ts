import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../src/base/diagnostics/diagnostic.js';
import { createSourceFile, lineMapOf, positionAt } from '../src/base/source/source-file.js';
import { analyze } from '../src/compiler/analyze.js';

/** The mistakes that people make most, each with its one error or warning: code, line, column, message. */
const mistakes: readonly (readonly [text: string, finding: string])[] = [
  // Properties and their signs.
  ['(user { id: ID! name: String! })', 'GG1005 1:16 Missing comma before “name”.'],
  ['(user { id ID! })', 'GG1001 1:12 Expected “:”, found “ID”.'],
  ['(user { name: })', 'GG1001 1:15 Expected a value, found “}”.'],
  ['(user { name })', 'GG1001 1:14 Expected “:”, found “}”.'],
  ['(user { name: String! = })', 'GG1001 1:25 Expected a value, found “}”.'],
  ["(user { name: String := 'a' })", 'GG1001 1:22 Expected a property, found “:”.'],
  ["(user { name => 'a' })", 'GG1021 1:14 Expected “:”, found “=>”.'],
  ['(user { id: ID!; name: String })', 'GG1001 1:16 Expected a property, found “;”.'],
  ['(user { "id": ID! })', 'GG1001 1:9 Expected a property, found “"id"”.'],
  [
    '(user { first-name: String! })',
    'GG1016 1:9 “first-name” is not a valid name: use the letters A–Z and a–z, digits and _.',
  ],
  ['(user { address: { city: String } })', 'GG1018 1:18 A property map cannot contain another property map.'],
  ['(user { age: 5 = 6 })', 'GG2019 1:14 5 is not a type, so it cannot have a default.'],
  ['(user { age: 1,000 })', 'GG1001 1:16 Expected a property, found “000”.'],
  ['(user { price: .5 })', 'GG1001 1:16 Expected a value, found “.”.'],
  ['(user { price: 1e999 })', 'GG2020 1:16 The number 1e999 cannot be represented exactly.'],
  ['(user { tags: [] })', 'GG2014 1:15 Cannot infer the type of this list: it is empty.'],
  ["(user { tags: [1, 'a'] })", 'GG2014 1:15 Cannot infer the type of this list: it holds both Int and String.'],
  ['(user { x: null })', 'GG2015 1:9 null has no type; “x” is read as a nullable String.'],
  [
    '(user { __name: String })',
    'GG3008 1:9 “__name” cannot be a GraphQL name: names that begin with __ are reserved by GraphQL.',
  ],
  // Brackets and quotes.
  ['(user { id: ID!)', 'GG1001 1:16 Expected “}”, found “)”.'],
  ['(user { id: ID! }', 'GG1001 1:18 Expected “)”, found the end of the line.'],
  ['(user id: ID! })', 'GG1001 1:7 Expected “{”, found “id”.'],
  ['(user { tags: [String! })', 'GG1001 1:24 Expected “]”, found “}”.'],
  ['(user { tags: String!] })', 'GG1001 1:22 Expected a property, found “]”.'],
  ["(user { name: 'Ada })", 'GG1002 1:15 Missing closing quote: a string must end on the line where it begins.'],
  ["(user { text: 'one\ntwo' })", 'GG1002 1:15 Missing closing quote: a string must end on the line where it begins.'],
  ['(user { name: “Ada” })', 'GG1024 1:15 “…” cannot quote a string.'],
  ['(user { name: `Ada` })', 'GG1024 1:15 `…` cannot quote a string.'],
  [')', 'GG1001 1:1 Expected a node or an edge, found “)”.'],
  ['/* not closed', 'GG1004 1:1 Missing */: this comment is never closed.'],
  ['# a comment', 'GG1014 1:1 “#” does not begin a comment.'],
  ['<!-- a comment -->', 'GG1014 1:1 “<!--” does not begin a comment.'],
  // Types.
  ['(user { nick: String? })', 'GG1022 1:21 “?” is not part of a type: every type is nullable unless a ! follows it.'],
  ['(user { nick?: String })', 'GG1022 1:13 “?” is not part of a type: every type is nullable unless a ! follows it.'],
  ['(user { tags: String[] })', 'GG1023 1:15 Expected [String], found String[].'],
  ['(user { tags: String![]! })', 'GG1023 1:15 Expected [String!]!, found String![]!.'],
  ['(user { tags: Array<String> })', 'GG1023 1:15 Expected [String], found Array<String>.'],
  ['(root)-[:PROCESS { ids: ID[] }]->(user)', 'GG1023 1:25 Expected [ID], found ID[].'],
  ['(user { reviews(ids: ID[]): Int })', 'GG1023 1:22 Expected [ID], found ID[].'],
  ['(user { name: string! })', 'GG2008 1:15 Unknown type “string”.'],
  ['(user { name: string })', "GG2007 1:15 Unknown type “string”; it is read as the string 'string'."],
  ['(user { name: Strng! })', 'GG2008 1:15 Unknown type “Strng”.'],
  ['(user { age: number! })', 'GG2008 1:14 Unknown type “number”.'],
  ['(user { on: Bool! })', 'GG2008 1:13 Unknown type “Bool”.'],
  ['(user { since: Moment! })', 'GG2008 1:16 Unknown type “Moment”.'],
  ['(user { since: Moment })', "GG2007 1:16 Unknown type “Moment”; it is read as the string 'Moment'."],
  ["(user { name: 'String!' })", "GG2009 1:15 'String!' is a string that looks like a type."],
  ['(ada: Person { name: String! }) (order { buyer: Person! })', 'GG2008 1:49 Unknown type “Person”.'],
  ['(ada: Person) (bob: Person) (order { buyer: Person! })', 'GG2008 1:45 Unknown type “Person”.'],
  ['(user { name: String! }) (order { buyer: user! })', 'GG2008 1:42 Unknown type “user”.'],
  ["(user { age: Int = 'five' })", "GG2013 1:20 The default 'five' is not a value of Int."],
  ['(user { age: Int! = null })', 'GG2013 1:21 The default null is not a value of Int!.'],
  ['(user { on: Boolean = yes })', 'GG2013 1:23 The default yes is not a value of Boolean.'],
  ['(user { name: String | Int })', 'GG1001 1:22 Expected a property, found “|”.'],
  ['(user { id: ID!! })', 'GG1001 1:16 Expected a property, found “!”.'],
  ['(user { reviews(first Int): Int })', 'GG1001 1:23 Expected “:”, found “Int”.'],
  ['(user { reviews(first: 5): Int })', 'GG2018 1:24 “first” must be a type, such as Int or Int = 10.'],
  // Nodes.
  ['()', 'GG1001 1:2 Expected the name of a node, found “)”.'],
  ['(a | )', 'GG1001 1:6 Expected the name of a node, found “)”.'],
  ['(a & b)-[:RACE]->(c)', 'GG1003 1:4 Unexpected “&”.'],
  ['(user-name { id: ID! })', 'GG1016 1:2 “user-name” is not a valid name: use the letters A–Z and a–z, digits and _.'],
  ['(user name { id: ID! })', 'GG1001 1:7 Expected “)”, found “name”.'],
  ['(a: )', 'GG1001 1:5 Expected a name, found “)”.'],
  ["(a: 'Label')", "GG1001 1:5 Expected a name, found “'Label'”."],
  ['(user { id: ID!, id: Int! })', 'GG2006 1:18 Node “user” declares “id” twice, as ID! and as Int!.'],
  ['(user { id: ID! }) (user { id: Int! })', 'GG2006 1:28 Node “user” declares “id” twice, as ID! and as Int!.'],
  [
    '(read_user { x: Int }) (readUser { x: Int })',
    'GG3001 1:25 Nodes “read_user” and “readUser” would both become the type ReadUser.',
  ],
  [
    '(user { x: Int }) (user_input { x: Int })',
    'GG3003 1:20 Node “user_input” would become the type UserInput, which is already derived from “user”.',
  ],
  ['(query { x: Int })', 'GG3002 1:2 Node “query” would become the type Query, a name that GraphQL reserves.'],
  // Enums, scalars and labels.
  ['(status: enum { values: [ACTIVE, SUSPENDED] })', 'GG2042 1:10 The label “enum” has no meaning.'],
  ['(status: Enm { values: [ACTIVE, SUSPENDED] })', 'GG2042 1:10 The label “Enm” has no meaning.'],
  ['(date: Scaler)', 'GG2042 1:8 The label “Scaler” has no meaning.'],
  ['(status: Enum)', 'GG2011 1:2 The enum “status” has no values.'],
  ['(status: Enum { value: [ACTIVE] })', 'GG2017 1:17 “value” has no meaning on “status”, which is an Enum.'],
  ['(status: Enum { ACTIVE, SUSPENDED })', 'GG1001 1:23 Expected “:”, found “,”.'],
  ['(status: Enum { values: ACTIVE })', 'GG2018 1:25 “values” must be a list of names, such as [ACTIVE, SUSPENDED].'],
  ['(status: Enum { values: [ACTIVE, ACTIVE] })', 'GG2012 1:34 ACTIVE cannot be an enum value: it is listed twice.'],
  ['(status: Enum { values: [ACTIVE SUSPENDED] })', 'GG1005 1:32 Missing comma before “SUSPENDED”.'],
  [
    "(status: Enum { values: ['on hold'] })",
    "GG2012 1:26 'on hold' cannot be an enum value: only the letters A–Z, digits and _ are allowed.",
  ],
  [
    '(user { status: Status! = ACTIV }) (status: Enum { values: [ACTIVE] })',
    'GG2013 1:27 The default ACTIV is not a value of Status!.',
  ],
  ['(date: Scalar { specifiedBy: 5 })', 'GG2018 1:30 “specifiedBy” must be a URL in quotes.'],
  [
    "(date: Scalar { specifiedby: 'https://example.com' })",
    'GG2017 1:17 “specifiedby” has no meaning on “date”, which is a Scalar.',
  ],
  ['(date: Enum:Scalar { values: [ACTIVE] })', 'GG2016 1:13 Node “date” cannot be both Enum and Scalar.'],
  // Edges.
  ['(a)-[:PROCESS]-(b)', 'GG1007 1:14 Expected “->”, found “]-”: an edge always points to the right.'],
  ['(a)<-[:PROCESS]-(b)', 'GG1007 1:4 Expected “->”, found “<-[”: an edge always points to the right.'],
  ['(a)<-[:PROCESS]->(b)', 'GG1007 1:4 Expected “->”, found “<-[”: an edge always points to the right.'],
  ['(a)-->(b)', 'GG1008 1:4 This edge has no type.'],
  ['(a)=>(b)', 'GG1021 1:4 Expected “-[:TYPE]->”, found “=>”.'],
  ['(a)-[:PROCESS]=>(b)', 'GG1021 1:14 Expected “]->”, found “]=>”.'],
  ['(a)--[:PROCESS]->(b)', 'GG1021 1:4 Expected “-[”, found “--[”.'],
  ['(a)--[:PROCESS]-->(b)', 'GG1021 1:4 Expected “-[”, found “--[”.'],
  ['(a)=[:PROCESS]=>(b)', 'GG1021 1:4 Expected “-[”, found “=[”.'],
  ['(a)-(:PROCESS)->(b)', 'GG1021 1:4 Expected “-[”, found “-(”.'],
  ['(a)-[:PROCESS->(b)', 'GG1001 1:14 Expected “]->”, found “->”.'],
  ['(a)[:PROCESS]->(b)', 'GG1001 1:4 Expected a node or an edge, found “[”.'],
  ['(a)-[PROCESS]->(b)', 'GG1001 1:6 Expected “:”, found “PROCESS”.'],
  ['(a)-[:]->(b)', 'GG1001 1:7 Expected a name, found “]->”.'],
  ['(a)-[:process]->(b)', 'GG1012 1:7 Edge type “process” must be in upper case.'],
  ['(a)-[p:PROCESS]->(b)', 'GG1010 1:6 Unexpected name “p”: an edge has a type, but no name.'],
  ['(a)-[:PROCESS|FOLD]->(b)', 'GG1009 1:14 An edge must have exactly one type; this one has several.'],
  ['(a)-[:PROCESS]->b', "GG1011 1:17 Put the edge's endpoint in parentheses: (b)."],
  ['(a)-[:PROCESS]->(b)->(c)', 'GG1008 1:20 This edge has no type.'],
  ['a)-[:PROCESS]->(b)', 'GG1001 1:1 Expected a node or an edge, found “a”.'],
  ['[a]-[:PROCESS]->(b)', 'GG1001 1:1 Expected a node or an edge, found “[”.'],
  ['(a)-[:PROCES]->(b)', 'GG2040 1:7 PROCES edges are not part of the API.'],
  ['(a)-[:PROCESS { id: ID! ]->(b)', 'GG1001 1:25 Expected “}”, found “]->”.'],
  ['(a)-[:PROCESS id: ID!]->(b)', 'GG1001 1:15 Expected “{”, found “id”.'],
  ['(a)-[:PROCESS(id: ID!)]->(b)', 'GG1001 1:14 Expected “{”, found “(”.'],
  // Settings of edges and nodes.
  ["(a)-[:PROCESS { operaton: 'x' }]->(b)", 'GG2041 1:17 “operaton” has no effect on a PROCESS edge.'],
  [
    '(a)-[:PROCESS { retruns: User }]->(b) (user { x: Int })',
    'GG2041 1:17 “retruns” declares an argument of this PROCESS edge.',
  ],
  [
    '(a)-[:PROCESS { return: User }]->(b) (user { x: Int })',
    'GG2041 1:17 “return” declares an argument of this PROCESS edge.',
  ],
  ['(a)-[:PROCESS { operation: 5 }]->(b)', 'GG2018 1:17 “operation” must be a name in quotes.'],
  [
    '(a)-[:PROCESS { operation: findUser }]->(b)',
    "GG2007 1:28 Unknown type “findUser”; it is read as the string 'findUser'.",
  ],
  [
    "(a)-[:PROCESS { operation: 'find user' }]->(b)",
    'GG3008 1:17 “find user” cannot be a GraphQL name: only the letters A–Z, digits and _ are allowed.',
  ],
  ["(a)-[:PROCESS { operation: 'x' }]->(b | c)", 'GG3004 1:17 The edges to “b” and “c” would both become the query x.'],
  ["(a)-[:PROCESS { union: 'X' }]->(b)", 'GG3012 1:17 “union” has no effect on a PROCESS edge.'],
  ['(a)-[:PROCESS { returns: Usr }]->(b) (user { x: Int })', 'GG2008 1:26 Unknown type “Usr”.'],
  [
    "(a)-[:PROCESS { returns: 'User' }]->(b) (user { x: Int })",
    'GG2018 1:26 “returns” must be a type, such as User or [User!]!, and no default.',
  ],
  ['(a)-[:PROCESS { returns: user }]->(b) (user { x: Int })', 'GG2008 1:26 Unknown type “user”.'],
  ['(a)-[:PROCESS { id: ID!, id: Int }]->(b)', 'GG2006 1:26 This PROCESS edge declares “id” twice, as ID! and as Int.'],
  ["(a | c)-[:RACE { after: 'soon' }]->(b)", "GG2018 1:18 “after” must be a duration, such as '50ms', '1.5s' or '2m'."],
  [
    '(a: Enum { values: [X] } | c)-[:RACE]->(b)',
    'GG3007 1:1 “a” is an enum, so it cannot be a member of the union BRace.',
  ],
  [
    '(a)-[:FOLD]->(b) (b | c)-[:RACE]->(d)',
    'GG3011 1:18 The race to “d” has a branch that reaches the FOLD into “b”; racing branches may not change data.',
  ],
  ['(gone: Problem { staus: 410 })', 'GG2041 1:18 “staus” declares a field of “gone”.'],
  [
    '(user { implments: [Named], name: String }) (named: Interface { name: String })',
    'GG2041 1:9 “implments” declares a field of “user”.',
  ],
  ['(user { internl: true })', 'GG2041 1:9 “internl” declares a field of “user”.'],
  ['(a)-[:PROCESS { status: created }]->(b)', 'GG2018 1:17 “status” must be an HTTP status from 200 to 299.'],
  [
    "(a)-[:PROCESS { route: 'books' }]->(b)",
    "GG2018 1:17 “route” must be a method and a path in quotes, such as 'GET /books/{isbn}'.",
  ],
  [
    '(a)-[:PROCESS { throws: [OutOfStok] }]->(b) (out_of_stock: Problem { status: 409 })',
    'GG3060 1:17 There is no declared error OutOfStok.',
  ],
  [
    '(a)-[:PROCESS { throw: [Gone, Sold] }]->(b) (gone: Problem { status: 410 }) (sold: Problem { status: 409 })',
    'GG2041 1:17 “throw” has no effect on a PROCESS edge.',
  ],
  // Inputs, interfaces and doc comments.
  ['(form: Inptu { name: String! })-[:FOLD]->(saved)', 'GG2042 1:8 The label “Inptu” has no meaning.'],
  ['(form: OneOf { name: String })', 'GG2030 1:8 “form” cannot be OneOf: it does not have the label Input.'],
  [
    '(form: Input { name: String! }) (user { form: Form! })',
    'GG3030 1:41 Form is an input, so it cannot be the type of a field.',
  ],
  [
    '(named: Interface { name: String! }) (user { implements: [Named], id: ID! })',
    'GG2033 1:46 User does not fit the interface Named: it has no field “name”.',
  ],
  ['(user {\n  /// @minLenght 3\n  name: String!\n})', 'GG2035 2:7 @minLenght is not a tag; it is read as text.'],
  // Files and calls.
  ["import './missing.gg'", "GG2001 1:8 Cannot find the imported file './missing.gg'."],
  ["import './missing.gg'\n(order { buyer: User! })", "GG2001 1:8 Cannot find the imported file './missing.gg'."],
  [
    "import { user } from './missing.gg'\n(user)-[:PROCESS { returns: [Order!]! }]->(orders)",
    "GG2001 1:22 Cannot find the imported file './missing.gg'.",
  ],
  ["import * from './x.gg'", 'GG1019 1:8 An import cannot contain “*”.'],
  ["import './x.gg' as x", 'GG1019 1:17 An import cannot contain “as x”.'],
  ["import user from './x.gg'", 'GG1019 1:8 An import cannot contain “user”.'],
  ['export { nope }', 'GG2005 1:10 Cannot export “nope”: this file has no such node.'],
  ['export user', 'GG1001 1:8 Expected “{”, found “user”.'],
  ['f(x, y)', 'GG1015 1:4 The call f(…) cannot take arguments.'],
  ['x.f', 'GG1001 1:4 Expected “(”, found the end of the line.'],
  [
    'type User { id: ID! }',
    'GG1013 1:1 A “type … { }” block is not part of the language. The edges inside the block were kept.',
  ],
];

/** A statement behind every mistake, which must be read whatever stands before it. */
const behind = '(root)-[:PROCESS]->(behind { x: 1 })';

const withBehind = (text: string) => `${text}\n${behind}\n`;

/** The errors and warnings about a text. */
function problemsOf(text: string): readonly Diagnostic[] {
  return analyze(text).diagnostics.filter(({ severity }) => severity !== 'information');
}

function applyFix(text: string, { fix }: Diagnostic): string {
  const edits = fix?.edits.toSorted((a, b) => b.span.start - a.span.start) ?? [];
  return edits.reduce(
    (edited, { span, text: part }) => edited.slice(0, span.start) + part + edited.slice(span.end),
    text,
  );
}

describe('a mistake', () => {
  test('is in the table for each of at least sixty kinds', () => {
    expect(new Set(mistakes.map(([text]) => text)).size).toBe(mistakes.length);
    expect(mistakes.length).toBeGreaterThanOrEqual(60);
  });

  test.each(mistakes)('%s is one finding at its place: %s', (mistake, finding) => {
    const text = withBehind(mistake);
    const lines = lineMapOf(createSourceFile('topology.gg', text));
    const found = problemsOf(text).map(({ code, span, message }) => {
      const { line, column } = positionAt(lines, span.start);
      return `${code} ${line}:${column} ${message}`;
    });
    expect(found).toEqual([finding]);
  });

  test.each(mistakes.filter(([text]) => !text.startsWith('/*')))('%s affects only its own statement', (mistake) => {
    const statements = analyze(withBehind(mistake)).ast.documents.flatMap((document) => document.statements);
    const targets = statements.flatMap((statement) =>
      statement.kind === 'Pipeline' ? statement.hops.flatMap(({ target }) => target.nodes) : [],
    );
    expect(targets.map(({ id }) => id)).toContain('behind');
  });

  const fixable = mistakes.filter(([text]) => problemsOf(withBehind(text))[0]?.fix !== undefined);

  test.each(fixable)('%s is resolved by its fix', (mistake) => {
    let text = withBehind(mistake);
    // Both ends of an arrow may be wrong: then the second is found after the first was corrected.
    for (let round = 0; round < 2; round++) {
      const [problem] = problemsOf(text);
      if (problem !== undefined) text = applyFix(text, problem);
    }
    expect(problemsOf(text)).toEqual([]);
  });

  test.each([
    [
      '(user { nick: String? })',
      'Write name: String for a nullable field and name: String! for one that is never null.',
    ],
    ['(user { tags: String[] })', 'A list type has its items in brackets: [String], or [String!]! without nulls.'],
    ['(status: enum { values: [A, B] })', 'Did you mean Enum?'],
    [
      '(user { since: Moment! })',
      'Declare it as a node, (moment { … }) or (moment: Scalar), or use String, Int, Float, Boolean or ID.',
    ],
    [
      '(user { at: TimeOfDay! })',
      'Declare it as a node, (time_of_day { … }) or (time_of_day: Scalar), or use String, Int, Float, Boolean or ID.',
    ],
    ['(a)-[:PROCESS]=>(b)', 'Write an edge as (a)-[:TYPE]->(b), with an optional { … } after the type.'],
    ['(a)--[:PROCESS]->(b)', 'Write an edge as (a)-[:TYPE]->(b), with an optional { … } after the type.'],
    ["import './missing.gg'\n(order { buyer: User! })", 'The path is relative to the importing file.'],
    [
      '(ada: Person { x: 1 }) (order { buyer: Person! })',
      'Did you mean Ada? Person is a label of “ada”; the name of a type comes from the id of its node.',
    ],
    ['(user { x: 1 }) (order { buyer: user! })', 'Did you mean User?'],
  ])('%s has the hint: %s', (mistake, hint) => {
    expect(problemsOf(withBehind(mistake)).map((problem) => problem.hint)).toEqual([hint]);
  });
});
