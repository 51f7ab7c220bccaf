import { describe, expect, test } from 'vitest';
import { serve } from '../server/topology-server.js';

const source = `
(mood: Enum { values: [ACTIVE, SUSPENDED] })
(person: Record { identity: ID!, mood: Mood })
(root)-[:PROCESS { identity: ID, mood: Mood, operation: 'person' }]->(person)
(form { nickname: String, mood: Mood })-[:FOLD]->(saved: Record { nickname: String })
`;

const query = (text: string, variables?: Record<string, unknown>) => [text, variables] as const;
/** Each has a name that is nearly one of the schema. */
const mistakes = {
  'a field': query('{ persn { identity } }'),
  'a field below': query('{ person { identty } }'),
  'an argument': query('{ person(identty: 1) { identity } }'),
  'a type': query('query ($m: Moood) { person(mood: $m) { identity } }'),
  'a type condition': query('{ person { ... on Persn { identity } } }'),
  'an enum value': query('{ person(mood: ACTVE) { identity } }'),
  'an enum value as text': query('{ person(mood: "ACTIVE") { identity } }'),
  'an enum value in a variable': query('query ($m: Mood) { person(mood: $m) { identity } }', { m: 'ACTVE' }),
  'an enum value of a wrong kind': query('query ($m: Mood) { person(mood: $m) { identity } }', {
    m: ['ACTVE'],
  }),
  'an input field': query('mutation { saved(input: { nicknam: "a" }) { nickname } }'),
  'an input field in a variable': query('mutation ($f: FormInput) { saved(input: $f) { nickname } }', {
    f: { nicknam: 'a' },
  }),
  'an enum value in an input': query('mutation ($f: FormInput) { saved(input: $f) { nickname } }', {
    f: { mood: 'ACTVE' },
  }),
  'a directive': query('{ person { identity @skp(if: true) } }'),
  'an operation': query('mutation { savd { nickname } }'),
} as const;

const resolvers = { Query: { person: { identity: '1' } }, Mutation: { saved: { nickname: 'a' } } };

describe.each([true, false])('where introspection is %s', (introspection) => {
  const server = serve(source, { resolvers, limits: { introspection } });

  test.each(Object.entries(mistakes))(
    'a mistake in %s gives an error without names of the schema',
    async (_, [text, variables]) => {
      for (let time = 0; time < 3; time++) {
        const { errors } = await server.executeOperation({ query: text, variables });
        expect(errors?.length).toBeGreaterThan(0);
        const told = JSON.stringify(errors);
        if (!introspection) expect(told).not.toContain('Did you mean');
      }
    },
  );

  test('errors suggest names only if clients can query names', async () => {
    const { errors } = await server.executeOperation({ query: mistakes['a field'][0] });
    expect(errors?.[0]?.message.includes('Did you mean')).toBe(introspection);
  });
});
