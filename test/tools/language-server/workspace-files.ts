/** A workspace of several files, with marks at the places that the tests ask about. */
export const files: Readonly<Record<string, string>> = {
  'main.gg': `import './people.gg'
import { audit_log } from './§1log.gg'

/// Reads a person.
(root)-[:§2PROCESS { id: ID!, input: UserInput }]->(read_user: Record { id: ID!, owner: §3User!, name: String! })
(input_user { name: String!, mood: UserMood = §4GOOD })-[:§5FOLD]->(save_user)
(save_user)-[:FORK]->(§6audit_log)
(read_user | cached_user: Record { id: ID! })-[:§7RACE]->(fast_user)
(read_user)-[:§8MEASURE]->(root)
`,
  'people.gg': `import './log.gg'

/// A person.
(§1user: Entity:§2Person {
  id: ID!,
  /// As on the passport.
  §3name: String!,
  mood: UserMood! = GOOD,
})
(user_mood: §4Enum { values: [§5GOOD, BAD] })
(§6user { nick: String })
`,
  'log.gg': `export { §1audit_log }
(audit_log: Event { §2at: String!, by: User })
`,
  // Another topology, which shares a file with the first.
  'reports.gg': `import './people.gg'
(office)-[:PROCESS { returns: [User!]! }]->(§1user)
`,
  // A third one, which has nothing to do with them.
  'alone.gg': `(user: Record { id: ID! })
(root)-[:PROCESS]->(user)
`,
};
