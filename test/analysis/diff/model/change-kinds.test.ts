import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diffApis, diffSchemas } from '../../../../src/analysis/diff/diff-schemas.js';
import type { SchemaChange } from '../../../../src/analysis/diff/model/change.js';
import { type ChangeKind, changeKinds } from '../../../../src/analysis/diff/model/change-kinds.js';
import type { ChangeLevel } from '../../../../src/analysis/diff/model/change-level.js';
import type { AuthSettings, ServerSettings } from '../../../../src/analysis/diff/model/server-settings.js';
import { named, nonNull } from '../../../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../../src/compiler/schema/gql-schema.js';
import { schemaFrom } from '../schemas.js';

/** Two topologies between which there is a change of the kind. */
interface Example {
  readonly before: string | GqlSchema;
  readonly after: string | GqlSchema;
  /** The settings of both servers. */
  readonly settings?: readonly [before: ServerSettings, after: ServerSettings];
  readonly coordinate: string;
  readonly level: ChangeLevel;
  readonly message: RegExp | string;
}

const user = '(user { id: ID!, name: String })\n';
const read = `${user}(root)-[:PROCESS { id: ID! }]->(user)\n`;
/** A read and a write at one path, with these values of etag. */
const tagged = (ofRead?: string, ofWrite?: string) => {
  const setting = (value?: string) => (value === undefined ? '' : `, etag: ${value}`);
  return `${user}(root)-[:PROCESS { id: ID!, route: 'GET /users/{id}'${setting(ofRead)} }]->(user)
    (root)-[:FOLD { id: ID!, route: 'PUT /users/{id}'${setting(ofWrite)} }]->(saved { id: ID! })\n`;
};
const gone = '(gone: Problem { status: 404 })\n';
const lost = read.replace('ID! }]', 'ID!, throws: [Gone] }]');
const fold = '(user)-[:FOLD]->(saved { id: ID! })\n';
const race = '(a { x: Int } | b { y: Int } | c { z: Int })';
const win = '(root)-[:PROCESS]->(first)\n';
const dated = `${read}(root)-[:PROCESS { on: Day }]->(diary { day: Day })\n`;
const painted = `${read}(root)-[:PROCESS]->(paint { colour: Colour })\n`;

/** An order whose customer signs up first. */
function shop(words = ''): string {
  return `${read}(customer { id: ID!, name: String })(order { id: ID! })
    (root)-[:FOLD { operation: 'signUp', name: String, returns: Customer! }]->(customer)
    (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, returns: Order!${words} }]->(order)`;
}

/** A query with an argument and its tags. */
function limited(...tags: readonly string[]): string {
  const doc = tags.map((tag) => `/// ${tag}\n`).join('');
  return `${user}(root)-[:PROCESS {\n${doc} first: Int }]->(user)`;
}

/** A query of a stored node with these fields. */
const stored = (fields: string) =>
  `(book: Stored { id: ID!, ${fields} })(root)-[:PROCESS { id: ID!, returns: Book }]->(book)`;

/** A schema as a layer may bring it: inputs whose fields are required, or have defaults. */
function withInputField(field: Partial<GqlArgument>): GqlSchema {
  const schema = schemaFrom(read + fold);
  const limit = {
    name: 'limit',
    description: undefined,
    type: named('Int'),
    fallback: undefined,
    span: undefined,
  };
  return {
    ...schema,
    inputs: schema.inputs.map((input) => ({ ...input, fields: [...input.fields, { ...limit, ...field }] })),
  };
}

const secured = read.replace('ID! }]', "ID!, auth: 'required' }]");

function paged(size: number | string): string {
  return `${user}(root)-[:PROCESS { returns: [User!]!, page: ${size} }]->(user)\n`;
}

function server(auth: AuthSettings, pageSize: number | false = 100): ServerSettings {
  return { auth, pageSize };
}

function contact(labels: string): string {
  return `(contact: ${labels} { email: String, phone: String })(root)-[:PROCESS { by: Contact }]->(user)`;
}

/** One for each kind: the type asks for it. */
const examples: Readonly<Record<ChangeKind, Example>> = {
  'operation-removed': {
    before: read + fold,
    after: user + fold,
    coordinate: 'Query.user',
    level: 'breaking',
    message: 'Query.user was removed.',
  },
  'operation-added': {
    before: user,
    after: read,
    coordinate: 'Query.user',
    level: 'safe',
    message: 'Query.user was added.',
  },
  'operation-type-changed': {
    before: read,
    after: read.replace('ID! }]', 'ID!, returns: [User!]! }]'),
    coordinate: 'Query.user',
    level: 'breaking',
    message: 'The result of Query.user changed from User to [User!]!.',
  },
  'root-type-removed': {
    before: read + fold,
    after: `${read}(saved { id: ID! })`,
    coordinate: 'Mutation',
    level: 'breaking',
    message: 'The API has no mutation any more.',
  },
  'root-type-added': {
    before: read,
    after: `${read}(user)-[:FORK]->(heard { id: ID! })`,
    coordinate: 'Subscription',
    level: 'safe',
    message: 'The API has its first subscription.',
  },
  'placeholder-removed': {
    before: user + fold,
    after: read + fold,
    coordinate: 'Query._empty',
    level: 'dangerous',
    message: /placeholder Query\._empty was removed/,
  },
  'placeholder-added': {
    before: read + fold,
    after: user + fold,
    coordinate: 'Query._empty',
    level: 'safe',
    message: /placeholder Query\._empty was added/,
  },
  'argument-removed': {
    before: read,
    after: read.replace('id: ID! }]', '}]'),
    coordinate: 'Query.user(id:)',
    level: 'breaking',
    message: 'The argument Query.user(id:) was removed.',
  },
  'argument-added': {
    before: read,
    after: read.replace('ID! }]', 'ID!, limit: Int }]'),
    coordinate: 'Query.user(limit:)',
    level: 'dangerous',
    message: 'The optional argument Query.user(limit:) of type Int was added.',
  },
  'argument-type-changed': {
    before: read,
    after: read.replace('ID! }]', 'ID }]'),
    coordinate: 'Query.user(id:)',
    level: 'safe',
    message: 'The type of Query.user(id:) changed from ID! to ID.',
  },
  'argument-became-required': {
    before: read.replace('ID! }]', 'ID! = "me" }]'),
    after: read,
    coordinate: 'Query.user(id:)',
    level: 'breaking',
    message: 'Query.user(id:) lost its default "me" and is now required.',
  },
  'argument-default-added': {
    before: read.replace('ID! }]', 'ID }]'),
    after: read.replace('ID! }]', 'ID = "me" }]'),
    coordinate: 'Query.user(id:)',
    level: 'dangerous',
    message: 'Query.user(id:) now has the default "me".',
  },
  'argument-default-changed': {
    before: read.replace('ID! }]', 'ID = "me" }]'),
    after: read.replace('ID! }]', 'ID = "you" }]'),
    coordinate: 'Query.user(id:)',
    level: 'dangerous',
    message: 'Query.user(id:) now has the default "you" instead of "me".',
  },
  'argument-default-removed': {
    before: read.replace('ID! }]', 'ID = "me" }]'),
    after: read.replace('ID! }]', 'ID }]'),
    coordinate: 'Query.user(id:)',
    level: 'dangerous',
    message: 'Query.user(id:) lost its default "me".',
  },
  'type-removed': {
    before: `${read}(root)-[:PROCESS]->(team { id: ID! })`,
    after: read,
    coordinate: 'Team',
    level: 'breaking',
    message: 'The object type Team was removed.',
  },
  'type-added': {
    before: read,
    after: `${painted}(colour: Enum { values: [RED] })`,
    coordinate: 'Colour',
    level: 'safe',
    message: 'The enum Colour was added.',
  },
  'type-kind-changed': {
    before: `${dated}(day: Scalar)`,
    after: `${dated}(day: Enum { values: [MONDAY] })`,
    coordinate: 'Day',
    level: 'breaking',
    message: 'Day changed from scalar to enum.',
  },
  'field-removed': {
    before: read,
    after: read.replace(', name: String', ''),
    coordinate: 'User.name',
    level: 'breaking',
    message: 'The field User.name was removed.',
  },
  'field-added': {
    before: read,
    after: read.replace('String }', 'String, email: String! }'),
    coordinate: 'User.email',
    level: 'safe',
    message: 'The field User.email: String! was added.',
  },
  'field-type-changed': {
    before: read,
    after: read.replace('String }', 'String! }'),
    coordinate: 'User.name',
    level: 'safe',
    message: 'The type of User.name changed from String to String!.',
  },
  'field-header-changed': {
    before: read,
    after: read.replace('name: String', '\n/// @header X-Name\nname: String'),
    coordinate: 'User.name',
    level: 'dangerous',
    message: 'User.name is sent as the header X-Name instead of no header.',
  },
  'constant-changed': {
    before: read.replace('String }', 'String = "Ada" }'),
    after: read.replace('String }', 'String = "Bob" }'),
    coordinate: 'User.name',
    level: 'dangerous',
    message: 'The constant User.name changed from "Ada" to "Bob".',
  },
  'constant-removed': {
    before: read.replace('String }', 'String = "Ada" }'),
    after: read,
    coordinate: 'User.name',
    level: 'dangerous',
    message: 'User.name is no longer the constant "Ada".',
  },
  'constant-added': {
    before: read,
    after: read.replace('String }', 'String = "Ada" }'),
    coordinate: 'User.name',
    level: 'safe',
    message: 'User.name became the constant "Ada".',
  },
  'input-field-removed': {
    before: read + fold,
    after: read.replace(', name: String', '') + fold,
    coordinate: 'UserInput.name',
    level: 'breaking',
    message: 'The input field UserInput.name was removed.',
  },
  'input-field-added': {
    before: read + fold,
    after: withInputField({ type: nonNull(named('Int')) }),
    coordinate: 'UserInput.limit',
    level: 'breaking',
    message: 'The required input field UserInput.limit of type Int! was added.',
  },
  'input-field-type-changed': {
    before: read + fold,
    after: read.replace('name: String', 'name: Int') + fold,
    coordinate: 'UserInput.name',
    level: 'breaking',
    message: 'The type of UserInput.name changed from String to Int.',
  },
  'input-field-became-required': {
    before: withInputField({ type: nonNull(named('Int')), fallback: 1 }),
    after: withInputField({ type: nonNull(named('Int')) }),
    coordinate: 'UserInput.limit',
    level: 'breaking',
    message: 'UserInput.limit lost its default 1 and is now required.',
  },
  'input-field-default-added': {
    before: withInputField({}),
    after: withInputField({ fallback: 1 }),
    coordinate: 'UserInput.limit',
    level: 'dangerous',
    message: 'UserInput.limit now has the default 1.',
  },
  'input-field-default-changed': {
    before: withInputField({ fallback: 1 }),
    after: withInputField({ fallback: null }),
    coordinate: 'UserInput.limit',
    level: 'dangerous',
    message: 'UserInput.limit now has the default null instead of 1.',
  },
  'input-field-default-removed': {
    before: withInputField({ fallback: 1 }),
    after: withInputField({}),
    coordinate: 'UserInput.limit',
    level: 'dangerous',
    message: 'UserInput.limit lost its default 1.',
  },
  'input-one-of-added': {
    before: user + contact('Input'),
    after: user + contact('Input:OneOf'),
    coordinate: 'Contact',
    level: 'breaking',
    message: 'Contact now takes exactly one of its fields.',
  },
  'input-one-of-removed': {
    before: user + contact('Input:OneOf'),
    after: user + contact('Input'),
    coordinate: 'Contact',
    level: 'safe',
    message: 'Contact takes any of its fields, no longer exactly one.',
  },
  'null-refused': {
    before: read.replace('PROCESS {', 'PROCESS { kind: String,'),
    after: read.replace('PROCESS {', 'PROCESS {\n/// @notNull\nkind: String,'),
    coordinate: 'Query.user(kind:)',
    level: 'breaking',
    message: 'Query.user(kind:) must not be null any more.',
  },
  'null-accepted': {
    before: read.replace('PROCESS {', 'PROCESS {\n/// @notNull\nkind: String,'),
    after: read.replace('PROCESS {', 'PROCESS { kind: String,'),
    coordinate: 'Query.user(kind:)',
    level: 'safe',
    message: 'Query.user(kind:) may be null now.',
  },
  'enum-value-removed': {
    before: `${painted}(colour: Enum { values: [RED, BLUE] })`,
    after: `${painted}(colour: Enum { values: [RED] })`,
    coordinate: 'Colour.BLUE',
    level: 'breaking',
    message: 'The value Colour.BLUE was removed.',
  },
  'enum-value-spelling-changed': {
    before: `${painted}(colour: Enum { values: [RED] })`,
    after: `${painted}(colour: Enum { values: [/// @value red\n RED] })`,
    coordinate: 'Colour.RED',
    level: 'breaking',
    message: 'The value Colour.RED is spelt “red” over REST, no longer “RED”.',
  },
  'enum-value-added': {
    before: `${painted}(colour: Enum { values: [RED] })`,
    after: `${painted}(colour: Enum { values: [RED, BLUE] })`,
    coordinate: 'Colour.BLUE',
    level: 'dangerous',
    message: 'The value Colour.BLUE was added.',
  },
  'union-member-removed': {
    before: `${read}${win}${race}-[:RACE]->(first { w: Int })`,
    after: `${read}${win}${race}(a | b)-[:RACE]->(first { w: Int })`.replace(
      race,
      '(a { x: Int })(b { y: Int })(c { z: Int })',
    ),
    coordinate: 'FirstRace.C',
    level: 'breaking',
    message: 'C was removed from the union FirstRace.',
  },
  'union-member-added': {
    before: `${read}${win}(a { x: Int })(b { y: Int })(c { z: Int })(a | b)-[:RACE]->(first { w: Int })`,
    after: `${read}${win}${race}-[:RACE]->(first { w: Int })`,
    coordinate: 'FirstRace.C',
    level: 'dangerous',
    message: 'C was added to the union FirstRace.',
  },
  'interface-removed-from-type': {
    before: `(named: Interface { id: ID! })${read.replace('(user ', '(user ').replace('{ id: ID!, name', '{ implements: [Named], id: ID!, name')}`,
    after: `(named: Interface { id: ID! })${read}`,
    coordinate: 'User',
    level: 'breaking',
    message: 'User no longer implements Named.',
  },
  'interface-added-to-type': {
    before: `(named: Interface { id: ID! })${read}`,
    after: `(named: Interface { id: ID! })${read.replace('{ id: ID!, name', '{ implements: [Named], id: ID!, name')}`,
    coordinate: 'User',
    level: 'dangerous',
    message: 'User now implements Named.',
  },
  'race-timing-changed': {
    before: `${read}${win}${race}-[:RACE]->(first { w: Int })`,
    after: `${read}${race}-[:RACE { after: '50ms' }]->(first { w: Int })`,
    coordinate: 'FirstRace',
    level: 'dangerous',
    message: /now starts A after 0 ms, B after 50 ms, C after 100 ms instead of A after 0 ms, B after 0 ms/,
  },
  'race-policy-changed': {
    before: `${read}${win}${race}-[:RACE { timeoutMs: 5, quorum: 2 }]->(first { w: Int })`,
    after: `${read}${win}${race}-[:RACE]->(first { w: Int })`,
    coordinate: 'FirstRace',
    level: 'dangerous',
    message: 'The race FirstRace now has failure: vent instead of failure: vent, timeoutMs: 5, quorum: 2.',
  },
  'fallback-changed': {
    before: `(root)-[:PROCESS { returns: A }]->(a { x: Int } | b)(a)-[:VENT { fallback: true }]->(b)`,
    after: `(root)-[:PROCESS { returns: A }]->(a { x: Int } | b)(a)-[:VENT { fallback: true, timeoutMs: 5 }]->(b)`,
    coordinate: 'Query.a',
    level: 'dangerous',
    message: 'Query.a now has the fallback b after 5 ms instead of the fallback b.',
  },
  'partition-changed': {
    before: '(a)-[:FORK]->(b { id: ID!, order: ID! })',
    after: "(a)-[:FORK { partition: 'order' }]->(b { id: ID!, order: ID! })",
    coordinate: 'Subscription.b',
    level: 'dangerous',
    message: 'The events of Subscription.b are now partitioned by order instead of id.',
  },
  'scalar-specification-changed': {
    before: `${dated}(day: Scalar)`,
    after: `${dated}(day: Scalar { specifiedBy: 'https://example.com/day' })`,
    coordinate: 'Day',
    level: 'dangerous',
    message: 'The specification of the scalar Day changed from nothing to https://example.com/day.',
  },
  'scalar-unused': {
    before: read.replace('String }', 'Float }'),
    after: read,
    coordinate: 'Float',
    level: 'safe',
    message: 'The built-in scalar Float is not used any more.',
  },
  'trigger-changed': {
    before: `${read}${fold}(saved)-[:FORK]->(heard { id: ID! })`,
    after: `${read}${fold}(user)-[:FORK]->(heard { id: ID! })`,
    coordinate: 'Subscription.heard',
    level: 'dangerous',
    message: 'The trigger of Subscription.heard changed from saved to user.',
  },
  'route-removed': {
    before: read + fold,
    after: user + fold,
    coordinate: 'GET /api/user',
    level: 'breaking',
    message: 'The route GET /api/user was removed.',
  },
  'route-added': {
    before: read,
    after: read + fold,
    coordinate: 'POST /api/saved',
    level: 'safe',
    message: 'The route POST /api/saved was added.',
  },
  'route-method-changed': {
    before: `${user}(root)-[:PROCESS { id: ID! }]->(saved { id: ID! })`,
    after: user + fold,
    coordinate: 'GET /api/saved',
    level: 'breaking',
    message: 'The route GET /api/saved became POST /api/saved.',
  },
  'route-changed': {
    before: read,
    after: read.replace('ID! }]', "ID!, route: 'GET /users/{id}' }]"),
    coordinate: 'GET /api/user',
    level: 'breaking',
    message: 'The route GET /api/user became GET /users/{id}.',
  },
  'chain-removed': {
    before: shop(', chain: true'),
    after: shop(),
    coordinate: 'Mutation.placeOrder',
    level: 'breaking',
    message: 'POST /api/chains/placeOrder was removed.',
  },
  'chain-added': {
    before: shop(),
    after: shop(', chain: true'),
    coordinate: 'Mutation.placeOrder',
    level: 'safe',
    message: 'POST /api/chains/placeOrder was added.',
  },
  'chain-step-removed': {
    before: shop(', chain: true'),
    after: shop(', chain: true').replace('(customer { id', '(customer { key'),
    coordinate: 'Mutation.placeOrder',
    level: 'breaking',
    message: 'POST /api/chains/placeOrder has no step signUp any more.',
  },
  'chain-step-added': {
    before: shop(', chain: true').replace('(customer { id', '(customer { key'),
    after: shop(', chain: true'),
    coordinate: 'Mutation.placeOrder',
    level: 'safe',
    message: 'POST /api/chains/placeOrder has the new step signUp.',
  },
  'chain-durability-changed': {
    before: shop(', chain: true'),
    after: shop(', chain: true, durable: true'),
    coordinate: 'Mutation.placeOrder',
    level: 'breaking',
    message: 'POST /api/chains/placeOrder begins a run, and answers 202.',
  },
  'durable-chain-changed': {
    before: shop(', chain: true, durable: true'),
    after: shop(', note: String, chain: true, durable: true'),
    coordinate: 'Mutation.placeOrder',
    level: 'dangerous',
    message: 'The steps of the durable chain placeOrder changed: its open runs wait for a server with the old ones.',
  },
  'step-policy-changed': {
    before: shop(', chain: true, durable: true'),
    after: shop(', retries: 0, chain: true, durable: true'),
    coordinate: 'Mutation.placeOrder',
    level: 'dangerous',
    message: 'Runs now treat failures of Mutation.placeOrder with retries: 0, no undo instead of retries: 3, no undo.',
  },
  'answer-status-changed': {
    before: read,
    after: read.replace('ID! }]', 'ID!, null: 404 }]'),
    coordinate: 'GET /api/user',
    level: 'breaking',
    message: 'The status of GET /api/user without a result changed from 200 to 404.',
  },
  'problem-removed': {
    before: gone + lost,
    after: read,
    coordinate: 'Gone',
    level: 'breaking',
    message: 'The declared error Gone was removed.',
  },
  'problem-added': {
    before: read,
    after: gone + read,
    coordinate: 'Gone',
    level: 'safe',
    message: 'The declared error Gone was added.',
  },
  'problem-status-changed': {
    before: gone + lost,
    after: gone.replace('404', '410') + lost,
    coordinate: 'Gone',
    level: 'breaking',
    message: 'The status of Gone changed from 404 to 410.',
  },
  'operation-error-added': {
    before: gone + read,
    after: gone + lost,
    coordinate: 'Query.user',
    level: 'dangerous',
    message: 'Query.user may now answer with Gone.',
  },
  'operation-error-removed': {
    before: gone + lost,
    after: gone + read,
    coordinate: 'Query.user',
    level: 'dangerous',
    message: 'Query.user no longer declares Gone.',
  },
  'idempotency-key-required': {
    before: user + fold,
    after: user + fold.replace('[:FOLD]', "[:FOLD { idempotent: 'required' }]"),
    coordinate: 'Mutation.saved',
    level: 'breaking',
    message: 'Mutation.saved now requires an idempotency key.',
  },
  'idempotency-key-optional': {
    before: user + fold.replace('[:FOLD]', "[:FOLD { idempotent: 'required' }]"),
    after: user + fold,
    coordinate: 'Mutation.saved',
    level: 'safe',
    message: 'Mutation.saved no longer requires an idempotency key.',
  },
  'etag-required': {
    before: tagged('true', 'true'),
    after: tagged('true', "'required'"),
    coordinate: 'Mutation.saved',
    level: 'breaking',
    message: 'Mutation.saved now requires If-Match.',
  },
  'etag-optional': {
    before: tagged('true', "'required'"),
    after: tagged('true', 'true'),
    coordinate: 'Mutation.saved',
    level: 'safe',
    message: 'Mutation.saved no longer requires If-Match.',
  },
  'etag-added': {
    before: tagged(),
    after: tagged('true'),
    coordinate: 'Query.user',
    level: 'safe',
    message: 'Query.user has an ETag now.',
  },
  'etag-removed': {
    before: tagged('true'),
    after: tagged(),
    coordinate: 'Query.user',
    level: 'dangerous',
    message: 'Query.user has no ETag any more.',
  },
  'parameter-style-changed': {
    before: `${user}(root)-[:PROCESS { like: User }]->(user)`,
    after: `${user}(user { tags: [String!] })(root)-[:PROCESS { like: User }]->(user)`,
    coordinate: 'GET /api/user?like',
    level: 'breaking',
    message: 'In GET /api/user the argument like is now sent as like={…} instead of like[…]=….',
  },
  'argument-header-changed': {
    before: read.replace('PROCESS {', 'PROCESS {\n/// @header X-Tenant\ntenant: String,'),
    after: read.replace('PROCESS {', 'PROCESS { tenant: String,'),
    coordinate: 'GET /api/user?tenant',
    level: 'breaking',
    message: 'In GET /api/user the argument tenant is read from no header instead of the header X-Tenant.',
  },
  'fields-parameter-taken': {
    before: read,
    after: read.replace('ID! }]', 'ID!, fields: [String!] }]'),
    coordinate: 'GET /api/user?fields',
    level: 'breaking',
    message: /the parameter fields is now an argument/,
  },
  'answer-narrowed': {
    before: nested(10),
    after: nested(120),
    coordinate: 'GET /api/top',
    level: 'breaking',
    message:
      'The response of GET /api/top no longer contains left.deep, left.deep.f0, left.deep.f1 and 19 more, unless ?fields= selects it.',
  },
  'answer-widened': {
    before: nested(120),
    after: nested(10),
    coordinate: 'GET /api/top',
    level: 'safe',
    message: /^The response of GET \/api\/top now contains left\.deep, .* and 19 more by default\.$/,
  },
  'access-tightened': {
    before: read,
    after: read.replace('ID! }]', "ID!, scopes: ['users:read'] }]"),
    coordinate: 'Query.user',
    level: 'breaking',
    message: 'Query.user now requires authentication and the scope users:read.',
  },
  'access-loosened': {
    before: read.replace('ID! }]', "ID!, auth: 'required' }]"),
    after: read,
    coordinate: 'Query.user',
    level: 'dangerous',
    message: 'Query.user no longer requires authentication.',
  },
  'security-scheme-removed': {
    before: { ...schemaFrom(secured), security: [{ type: 'bearer' }, { type: 'apiKey', header: 'X-Key' }] },
    after: secured,
    coordinate: 'X-Key',
    level: 'breaking',
    message: 'Callers can no longer authenticate with a key in the header X-Key.',
  },
  'security-scheme-added': {
    before: secured,
    after: { ...schemaFrom(secured), security: [{ type: 'bearer' }, { type: 'apiKey', header: 'X-Key' }] },
    coordinate: 'X-Key',
    level: 'safe',
    message: 'Callers can authenticate with a key in the header X-Key.',
  },
  'authentication-tightened': {
    before: secured,
    after: secured,
    settings: [server({ jwt: { issuer: ['a', 'b'] } }), server({ jwt: { issuer: 'a' } })],
    coordinate: 'server.auth.jwt.issuer',
    level: 'breaking',
    message: 'Tokens with the issuer b are refused.',
  },
  'authentication-loosened': {
    before: secured,
    after: secured,
    settings: [server({ jwt: {} }), server({ jwt: { types: ['JWT', 'at+jwt'] } })],
    coordinate: 'server.auth.jwt.types',
    level: 'dangerous',
    message: 'Tokens with the types JWT are accepted.',
  },
  'page-size-changed': {
    before: paged(20),
    after: paged(10),
    coordinate: 'Query.user',
    level: 'dangerous',
    message: 'A page of Query.user has 10 items by default instead of 20.',
  },
  'page-count-changed': {
    before: paged("'20 totalCount'"),
    after: paged(20),
    coordinate: 'Query.user',
    level: 'breaking',
    message: 'A page of Query.user no longer has the number of all items.',
  },
  'page-limit-changed': {
    before: paged(20),
    after: paged(20),
    settings: [server({}, false), server({}, 50)],
    coordinate: 'server.limits.pageSize',
    level: 'dangerous',
    message: 'Pages have at most 50 items instead of any number of items.',
  },
  'stored-values-deleted': {
    before: stored('isbn: String'),
    after: stored(''),
    coordinate: 'Book.isbn',
    level: 'breaking',
    message: 'The column book.isbn is deleted with its values.',
  },
  'migration-refused': {
    before: stored(''),
    after: stored('pages: Int!'),
    coordinate: 'Book.pages',
    level: 'breaking',
    message: /^The database cannot be migrated: book\.pages is required: /,
  },
  'stored-rule-added': {
    before: stored('pages: Int'),
    after: stored('pages: Int!'),
    coordinate: 'Book.pages',
    level: 'dangerous',
    message: 'The migration is refused if rows of book lack pages: fill it first, or give it a default.',
  },
  'table-added': {
    before: stored(''),
    after: `${stored('')}(author: Stored { id: ID! })`,
    coordinate: 'Author',
    level: 'safe',
    message: 'The table author is created.',
  },
  'table-changed': {
    before: stored('pages: Int'),
    after: stored('\n/// @store was pages\nlength: Int'),
    coordinate: 'Book',
    level: 'dangerous',
    message: 'The table book changes: rename pages to length.',
  },
  'directive-removed': {
    before: read,
    after: user,
    coordinate: '@topology',
    level: 'breaking',
    message: 'The directive @topology was removed, because it is not used any more.',
  },
  'directive-added': {
    before: user,
    after: read,
    coordinate: '@topology',
    level: 'safe',
    message: 'The directive @topology was added.',
  },
  'constraint-tightened': {
    before: limited('@maximum 100'),
    after: limited('@maximum 50', '@minimum 1'),
    coordinate: 'Query.user(first:)',
    level: 'breaking',
    message: 'The constraints of Query.user(first:) became tighter: maximum is 50 instead of 100, minimum 1 was added.',
  },
  'constraint-loosened': {
    before: '(user { /// @minLength 3\n name: String! })(root)-[:PROCESS]->(user)',
    after: '(user { name: String! })(root)-[:PROCESS]->(user)',
    coordinate: 'User.name',
    level: 'dangerous',
    message: 'The constraints of User.name became looser: minLength 3 was removed.',
  },
  'constraint-changed': {
    before: limited('@multipleOf 2'),
    after: limited('@multipleOf 3'),
    coordinate: 'Query.user(first:)',
    level: 'breaking',
    message: 'The constraints of Query.user(first:) changed: multipleOf is 3 instead of 2.',
  },
  'deprecation-changed': {
    before: read,
    after: read.replace('name:', '\n/// @deprecated Use id.\nname:'),
    coordinate: 'User.name',
    level: 'safe',
    message: 'User.name is deprecated now: Use id.',
  },
  'description-changed': {
    before: `${read}/// A day.\n(day: Scalar)`,
    after: `${read}/// A day of the week.\n(day: Scalar)`,
    coordinate: 'Day',
    level: 'safe',
    message: 'The description of Day changed.',
  },
  'origin-changed': {
    before: `${read}(day: Scalar)`,
    after: `${read}(day: Scalar: Time)`,
    coordinate: 'Day',
    level: 'safe',
    message: 'The origin of Day changed from (day:Scalar) to (day:Scalar:Time).',
  },
};

/** Two nodes with the same deep one below them, which has so many fields. */
function nested(fields: number): string {
  const list = Array.from({ length: fields }, (_, at) => `f${at}: Int`).join(', ');
  return `(deep { ${list} })(left { deep: Deep, n: Int })(right { deep: Deep })
    (root)-[:PROCESS]->(top { left: Left, right: Right })`;
}

function toSchema(side: string | GqlSchema): GqlSchema {
  return typeof side === 'string' ? schemaFrom(side) : side;
}

function changesOf({ before, after, settings }: Example): readonly SchemaChange[] {
  const [was, is] = settings ?? [];
  return diffApis({ schema: toSchema(before), settings: was }, { schema: toSchema(after), settings: is });
}

describe('a change of the kind', () => {
  it.each(Object.entries(examples))('is found: %s', (kind, example) => {
    const found = changesOf(example).find((change) => change.kind === kind && change.coordinate === example.coordinate);
    expect(found?.level).toBe(example.level);
    if (typeof example.message === 'string') expect(found?.message).toBe(example.message);
    else expect(found?.message).toMatch(example.message);
  });

  it.each(Object.entries(examples))('is absent in the opposite direction: %s', (kind, example) => {
    // A type is not as safe to take back as to give, and some kinds are the same in both directions.
    const { before, after, settings } = example;
    const back = changesOf({
      ...example,
      before: after,
      after: before,
      ...(settings && { settings: [settings[1], settings[0]] }),
    });
    const found = back.filter((change) => change.kind === kind && change.coordinate === example.coordinate);
    const twoWays =
      /(durability|durable-chain|type|kind|default|constant|timing|policy|fallback|specification|spelling|trigger|style|header|status|constraint|deprecation|description|origin|page-size|page-count|page-limit|table|partition)-changed$/;
    expect(found.length > 0).toBe(twoWays.test(kind));
  });
});

/** What stays of a schema whose types no operation reaches. */
function withoutOperations(side: string | GqlSchema): GqlSchema {
  return { ...toSchema(side), queries: [], mutations: [], subscriptions: [] };
}

describe('a change that no operation reaches', () => {
  it.each(Object.entries(examples))('is safe: %s', (kind, { before, after, coordinate }) => {
    const [old, found] = [withoutOperations(before), withoutOperations(after)];
    for (const sides of [
      [old, found],
      [found, old],
    ] as const) {
      const changes = diffSchemas(...sides).filter(({ coordinate }) => /^\w+(\.|$)/.test(coordinate));
      // Rows have no need of operations.
      const noticed = changes.filter(({ kind }) => !/^(?:stored|migration|table)-/.test(kind));
      expect(noticed.filter(({ level }) => level !== 'safe')).toEqual([]);
    }
    const isOfType = /^(?!Query|Mutation|Subscription|server)[A-Z]\w*(\.\w+)?$/.test(coordinate);
    if (isOfType) expect(diffSchemas(old, found).map((change) => change.kind)).toContain(kind);
  });
});

describe('docs/diff.md', () => {
  it('has exactly one row for every kind, with its levels', () => {
    const page = readFileSync('docs/diff.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([a-z, ]+) \| (.*) \|$/gm)].map(([, kind, levels, why]) => [
      kind,
      levels,
      why,
    ]);
    expect(rows).toEqual(Object.entries(changeKinds).map(([kind, { levels, why }]) => [kind, levels.join(', '), why]));
  });
});
