/** A shape of leak: a topology that is refused, the path that is printed, and two ways to accept it. */
export interface Shape {
  readonly name: string;
  readonly code: string;
  readonly path: string;
  /** The topology; `OPEN` stands where `open` may be written, and `DEMAND` where the demand belongs. */
  readonly text: string;
  /** What is written in place of `DEMAND`. */
  readonly demand: string;
}

const vault = (to: string) => `(root)-[:PROCESS { id: ID!, scopes: ['vault:read'] }]->(${to})`;
const raced = '(fast { id: ID! } | slow { id: ID! })';
const scopes = ", scopes: ['vault:read']";

/** The shapes of leak that the compiler refuses. */
export const shapes: readonly Shape[] = [
  {
    name: 'a branch of a race demands more than the raced operation',
    code: 'GG3080',
    path: 'root → found → RACE fast (vault:read)',
    text: `${raced}-[:RACE { union: 'Raced'OPEN }]->(found { id: ID! }) ${vault('fast')}
      (root)-[:PROCESS { id: ID!DEMAND }]->(found)`,
    demand: scopes,
  },
  {
    name: 'a race in a race demands more',
    code: 'GG3080',
    path: 'root → price → RACE found → RACE fast (vault:read)',
    text: `${raced}-[:RACE { after: 0OPEN }]->(found: Source { internal: true, id: ID! }) ${vault('fast')}
      (root)-[:PROCESS { id: ID! }]->(found)
      (found | other { id: ID! })-[:RACE { internal: true }]->(price { id: ID! })
      (root)-[:PROCESS { id: ID!DEMAND }]->(price)`,
    demand: scopes,
  },
  {
    name: 'a field of an object races to a branch that demands more',
    code: 'GG3080',
    path: 'root → search → Search.best → RACE fast (vault:read)',
    text: `${raced}-[:RACE { union: 'Raced'OPEN }]->(found { id: ID! }) ${vault('fast')}
      (root)-[:PROCESS { id: ID!DEMAND }]->(search { best(id: ID!): Raced })`,
    demand: scopes,
  },
  {
    name: 'a branch of an internal race demands more',
    code: 'GG3080',
    path: 'root → price → RACE quick (vault:read)',
    text: `(quick: Source { internal: true, amount: Float! }) ${vault('quick')}
      (quick | slow: Source { internal: true, amount: Float! })-[:RACE { after: 0OPEN }]->(price { amount: Float! })
      (root)-[:PROCESS { id: ID!DEMAND }]->(price)`,
    demand: scopes,
  },
  {
    name: 'an internal race serves a guarded field as an open one',
    code: 'GG3080',
    path: 'root → price → RACE quick → Quick.amount (vault:read)',
    text: `(quick: Source { internal: true,\n/// @scopes vault:read\namount: Float! })
      (quick | slow: Source { internal: true, amount: Float! })-[:RACE { after: 0OPEN }]->(price { amount: Float! })
      (root)-[:PROCESS { id: ID!DEMAND }]->(price)`,
    demand: scopes,
  },
  {
    name: 'an internal race serves a guarded type as an open one',
    code: 'GG3080',
    path: 'root → price → RACE quick → Quick.amount (one of the roles a, b)',
    text: `/// @roles a b\n(quick: Source { internal: true, amount: Float! })
      (quick | slow: Source { internal: true, amount: Float! })-[:RACE { after: 0OPEN }]->(price { amount: Float! })
      (root)-[:PROCESS { id: ID!DEMAND }]->(price)`,
    demand: ", roles: ['b']",
  },
  {
    name: 'an event has a guarded field of the mutation under the same name',
    code: 'GG3081',
    path: 'form → visit → FORK visited → Visited.note of Visit.note (vault:read)',
    text: `(visit { id: ID!,\n/// @scopes vault:read\nnote: String }) (form { x: Int })
      (form)-[:FOLD { x: Int, auth: 'required' }]->(visit)
      (visit)-[:FORK { x: Int DEMANDOPEN }]->(visited { id: ID!, note: String })`,
    demand: scopes,
  },
  {
    name: 'an event gives what each query of its type demands more for',
    code: 'GG3081',
    path: 'calendar → FORK calendarChanged → Calendar (owner doctorId)',
    text: `(root)-[:PROCESS { doctorId: ID!, owner: 'doctorId' }]->(calendar { doctorId: ID!, free: Int })
      (calendar)-[:FORK { operation: 'calendarChanged', doctorId: ID!DEMANDOPEN }]->(calendar)`,
    demand: ", owner: 'doctorId'",
  },
  {
    name: 'a filter of events asks for a guarded field',
    code: 'GG3082',
    path: 'visit → visits → ssn → Visit.ssn (vault:read)',
    text: `(visit { id: ID!,\n/// @scopes vault:read\nssn: String })
      (visit)-[:FORK { operation: 'visits', ssn: StringDEMANDOPEN }]->(visit)`,
    demand: scopes,
  },
  {
    name: 'an argument of a query asks for a guarded field',
    code: 'GG3082',
    path: 'root → visits → ssn → Visit.ssn (vault:read)',
    text: `(visit { id: ID!,\n/// @scopes vault:read\nssn: String })
      (root)-[:PROCESS { operation: 'visits', ssn: String, returns: [Visit!]!DEMANDOPEN }]->(visit)`,
    demand: scopes,
  },
  {
    name: 'a field of an input asks for a guarded field',
    code: 'GG3082',
    path: 'root → visits → by.ssn → Visit.ssn (vault:read)',
    text: `(visit { id: ID!,\n/// @scopes vault:read\nssn: String }) (wanted: Input { ssn: String })
      (root)-[:PROCESS { operation: 'visits', by: Wanted, returns: [Visit!]!DEMANDOPEN }]->(visit)`,
    demand: scopes,
  },
  {
    name: 'an order asks for a guarded field',
    code: 'GG3082',
    path: 'root → visits → by: SSN_DESC → Visit.ssn (vault:read)',
    text: `(visit { id: ID!,\n/// @scopes vault:read\nssn: String }) (order: Enum { values: [ID_ASC, SSN_DESC] })
      (root)-[:PROCESS { operation: 'visits', by: Order, returns: [Visit!]!DEMANDOPEN }]->(visit)`,
    demand: scopes,
  },
  {
    name: 'an argument of a field asks for a guarded field',
    code: 'GG3082',
    path: 'root → doctor → Doctor.visits → ssn → Visit.ssn (vault:read)',
    text: `(visit { id: ID!,\n/// @scopes vault:read\nssn: String })
      (root)-[:PROCESS { id: ID!DEMANDOPEN }]->(doctor { id: ID!, visits(ssn: String): [Visit!]! })`,
    demand: scopes,
  },
  {
    name: 'a relation gives its guarded key away',
    code: 'GG3084',
    path: 'root → book → Book.author → Author.id is Book.authorId (vault:read)',
    text: `(author { id: ID! })
      (root)-[:PROCESS { id: ID!DEMANDOPEN }]->(book { id: ID!,\n/// @scopes vault:read\nauthorId: ID!, author: Author! })`,
    demand: scopes,
  },
  {
    name: 'the cursors of an operation have a guarded id',
    code: 'GG3084',
    path: 'root → books → cursor with Book.id (vault:read)',
    text: `(book {\n/// @scopes vault:read\nid: ID!, title: String! })
      (root)-[:PROCESS { operation: 'books', returns: [Book!]!, page: 5DEMANDOPEN }]->(book)`,
    demand: scopes,
  },
  {
    name: 'the cursors of a field have a guarded id',
    code: 'GG3084',
    path: 'root → shelf → Shelf.books → cursor with Book.id (vault:read)',
    text: `(book {\n/// @scopes vault:read\nid: ID!, title: String! })
      (root)-[:PROCESS { id: ID!DEMANDOPEN }]->(shelf { id: ID!,\n/// @page 5\nbooks: [Book!]! })`,
    demand: scopes,
  },
  {
    name: 'an error has an object with a guarded field',
    code: 'GG3085',
    path: 'form → visit → throws Taken → by → Patient.ssn (vault:read)',
    text: `(patient { id: ID!,\n/// @scopes vault:read\nssn: String }) (taken: Problem { status: 409, by: Patient })
      (form { x: Int })-[:FOLD { x: Int, throws: [Taken]DEMANDOPEN }]->(visit { id: ID! })`,
    demand: scopes,
  },
  {
    name: 'an error repeats a guarded field of the result',
    code: 'GG3085',
    path: 'form → patient → throws Taken → ssn as Patient.ssn (vault:read)',
    text: `(taken: Problem { status: 409, ssn: String })
      (form { x: Int })-[:FOLD { x: Int, throws: [Taken]DEMANDOPEN }]->(patient { id: ID!,\n/// @scopes vault:read\nssn: String })`,
    demand: scopes,
  },
  {
    name: 'a list of owned objects names no owner',
    code: 'GG3086',
    path: 'root → visits → Visit (owner patientId)',
    text: `/// @owner patientId\n(visit { patientId: ID! })
      (root)-[:PROCESS { operation: 'visits', patientId: ID!, returns: [Visit!]!DEMANDOPEN }]->(visit)`,
    demand: ", owner: 'patientId'",
  },
  {
    name: 'a stream of owned objects names no owner',
    code: 'GG3086',
    path: 'visit → visits → Visit (owner patientId)',
    text: `/// @owner patientId\n(visit { patientId: ID! })
      (visit)-[:FORK { operation: 'visits', patientId: ID!DEMANDOPEN }]->(visit)`,
    demand: ", owner: 'patientId'",
  },
  {
    name: 'a field has a list of owned objects and names no owner',
    code: 'GG3086',
    path: 'root → doctor → Doctor.visits → Visit (owner patientId)',
    text: `/// @owner patientId\n(visit { patientId: ID! })
      (root)-[:PROCESS { patientId: ID!DEMANDOPEN }]->(doctor { id: ID!, visits: [Visit!]! })`,
    demand: ", owner: 'patientId'",
  },
];
