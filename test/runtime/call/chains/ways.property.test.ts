import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { createGqlServer, type GqlServer, type GqlServerOptions } from '../../../../src/index.js';
import { runs } from '../../../arbitraries/runs.js';
import { connectTo } from '../../mcp/connect.js';

interface Step {
  /** The earlier steps whose ids it takes, by number. */
  readonly takes: readonly number[];
  readonly isNested: boolean;
  readonly isQuery: boolean;
  readonly isGuarded: boolean;
  readonly gives: 'id' | 'null' | 'error';
}

interface Run {
  readonly steps: readonly Step[];
  /** How the inputs name each step. */
  readonly named: readonly ('not' | 'plain' | 'ids' | 'wrong')[];
  readonly isWeak: boolean;
}

const step = fc.record({
  takes: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
  isNested: fc.boolean(),
  isQuery: fc.boolean(),
  isGuarded: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
  gives: fc.constantFrom('id', 'id', 'id', 'id', 'null', 'error'),
});

const random: fc.Arbitrary<Run> = fc
  .record({
    steps: fc.array(step, { minLength: 2, maxLength: 5 }),
    named: fc.array(fc.constantFrom('not', 'plain', 'plain', 'plain', 'plain', 'ids', 'wrong'), {
      minLength: 5,
      maxLength: 5,
    }),
    isWeak: fc.boolean(),
  })
  .map(({ steps, ...others }) => ({
    ...others,
    // Each step takes the id of the one before it, and perhaps of earlier ones.
    steps: steps.map((one, at) => ({
      ...one,
      takes: [...new Set([at - 1, ...one.takes])].filter((from) => from >= 0 && from < at),
    })),
  })) as fc.Arbitrary<Run>;

const letter = (at: number) => 'ABCDE'[at] as string;
const isQuery = ({ isQuery: asked, takes }: Step) => asked && takes.length > 0;

/** The last step is the goal. */
function topology(steps: readonly Step[]): string {
  const parts = steps.map((one, at) => {
    const ids = one.takes.map((from) => `kind${letter(from)}Id: ID!`).join(', ');
    const form = one.isNested && ids !== '' && !isQuery(one);
    const args = [form ? `form: Form${letter(at)}!` : ids, 'note: String', `returns: Kind${letter(at)}`];
    const words = [`operation: 'make${letter(at)}'`, ...args.filter((part) => part !== '')];
    if (one.isGuarded) words.push("scopes: ['s']");
    if (at === steps.length - 1) words.push('chain: true');
    const node = `kind_${letter(at).toLowerCase()}`;
    return `(${node} { id: ID!, label: String })
      ${form ? `(form_${letter(at).toLowerCase()}: Input { ${ids}, size: Int })` : ''}
      (root)-[:${isQuery(one) ? 'PROCESS' : 'FOLD'} { ${words.join(', ')} }]->(${node})`;
  });
  return `(root)-[:PROCESS { operation: 'nothing' }]->(nothing { text: String })\n${parts.join('\n')}`;
}

function inputsOf({ steps, named }: Run): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    steps.flatMap((one, at) => {
      const way = named[at];
      if (way === 'not') return [];
      const ids = Object.fromEntries(one.takes.map((from) => [`kind${letter(from)}Id`, `given${from}`]));
      const isForm = one.isNested && one.takes.length > 0 && !isQuery(one);
      const given = way === 'ids' ? (isForm ? { form: ids } : ids) : {};
      return [[`make${letter(at)}`, { ...given, ...(way === 'wrong' && { note: 5 }) }]];
    }),
  );
}

/** A new server, and the steps that ran on it with their arguments. */
function serve({ steps }: Run) {
  const ran: unknown[] = [];
  const make = (at: number) => (_: unknown, args: object) => {
    ran.push([letter(at), { ...args }]);
    const { gives } = steps[at] as Step;
    if (gives === 'error') throw new GraphQLError('It failed.', { extensions: { code: 'FAILED' } });
    return gives === 'null' ? null : { id: `${letter(at)}${ran.length}`, label: 'x' };
  };
  const of = (wanted: boolean) =>
    Object.fromEntries(steps.flatMap((one, at) => (isQuery(one) === wanted ? [[`make${letter(at)}`, make(at)]] : [])));
  const options = {
    topologies: [{ name: 'chain.gg', source: topology(steps) }],
    resolvers: { Query: of(true), Mutation: of(false) },
    mcp: { tools: 'find' },
    authenticate: ({ header }: { header(name: string): string | undefined }) => {
      const id = header('authorization');
      return id === undefined ? null : { id, scopes: id === 'strong' ? ['s'] : [] };
    },
  } as unknown as GqlServerOptions;
  return { server: createGqlServer(options), ran };
}

interface Told {
  readonly steps: readonly { readonly operation: string; readonly result: unknown }[];
  readonly failed?: unknown;
  readonly status?: unknown;
  readonly detail?: unknown;
  readonly code?: unknown;
  readonly errors?: unknown;
}

type Way = (server: GqlServer, goal: string, run: Run) => Promise<Told>;

const idOf = ({ isWeak }: Run) => (isWeak ? 'weak' : 'strong');
const told = ({ steps, failed, status, detail, code, errors }: Told): Told => ({
  ...{ steps, failed, status, detail, code, errors },
});

const ways: Readonly<Record<string, Way>> = {
  async rest(server, goal, run) {
    const response = await server.fetch(
      new Request(`http://localhost/api/chains/${goal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: idOf(run) },
        body: JSON.stringify(inputsOf(run)),
      }),
    );
    return told((await response.json()) as Told);
  },
  async program(server, goal, run) {
    const principal = { id: idOf(run), scopes: run.isWeak ? [] : ['s'] };
    const { steps, problem } = await server.run(goal, inputsOf(run), { principal });
    return told({ ...problem, steps });
  },
  async agent(server, goal, run) {
    const client = await connectTo(server, '2026-07-28', { authorization: idOf(run) });
    const given = { name: goal, inputs: inputsOf(run) };
    const { structuredContent, isError } = await client.callTool({ name: 'run', arguments: given });
    await client.close();
    const content = structuredContent as { done: Record<string, unknown>; failed: Record<string, unknown> };
    const listed = Object.entries(isError ? content.done : (content as Record<string, unknown>));
    const steps = listed.map(([operation, result]) => ({ operation, result }));
    if (!isError) return told({ steps });
    const { step: failed, ...problem } = content.failed;
    return told({ ...problem, failed, steps });
  },
};

/** A chain over GraphQL, whose client selects all fields of all steps. */
async function overGraphQL(server: GqlServer, goal: string, run: Run): Promise<Told> {
  const inputs = Object.entries(inputsOf(run)).map(([name, args]) => `${name}: ${literal(args)}`);
  const fields = run.steps.map((_, at) => `make${letter(at)} { id label }`).join(' ');
  const response = await server.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: idOf(run) },
      body: JSON.stringify({
        query: `mutation { ${goal}Chain${inputs.length === 0 ? '' : `(${inputs.join(', ')})`} { ${fields} } }`,
      }),
    }),
  );
  const { data, errors: [error] = [] } = (await response.json()) as {
    data?: Record<string, Record<string, unknown>>;
    errors?: { message: string; extensions: Record<string, unknown> }[];
  };
  const results = data?.[`${goal}Chain`] ?? {};
  const named = [...Object.keys(inputsOf(run)), goal];
  const ran = (error === undefined ? [...new Set(named)] : (error.extensions.steps ?? [])) as string[];
  const steps = ran.map((operation) => ({ operation, result: results[operation] }));
  if (error === undefined) return { steps };
  const { failed, code, errors } = error.extensions;
  return { steps, failed, code, errors, detail: error.message };
}

function literal(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value).map(([name, member]) => `${name}: ${literal(member)}`)} }`;
}

interface Outcome {
  readonly told: Told;
  readonly ran: readonly unknown[];
}

const inOrder = ({ steps, failed, detail, errors }: Told) => ({
  steps: steps.toSorted((one, other) => (one.operation < other.operation ? -1 : 1)),
  ...{ failed, detail, errors },
});

test('a chain gives the same over REST, GraphQL, in the program and for agents; a weaker caller runs nothing', async () => {
  let handedOn = 0;
  await fc.assert(
    fc.asyncProperty(random, async (run) => {
      const { steps } = run;
      const goal = `make${letter(steps.length - 1)}`;
      const isNamed = (at: number) => run.named[at] !== 'not' || at === steps.length - 1;
      const refused = run.isWeak && steps.some((one, at) => one.isGuarded && isNamed(at));
      const outcomes: Outcome[] = [];
      for (const way of [...Object.values(ways), overGraphQL]) {
        const { server, ran } = serve(run);
        try {
          outcomes.push({ told: await way(server, goal, run), ran });
        } finally {
          await server.close();
        }
      }
      const [rest, program, agent, graphql] = outcomes as [Outcome, Outcome, Outcome, Outcome];
      expect(program).toEqual(rest);
      expect(agent).toEqual(rest);
      const isNamedWrong = run.named.some((how, at) => how === 'wrong' && at < steps.length);
      // A literal of another type is an error of the document.
      if (isNamedWrong) expect([graphql.told.code, graphql.ran]).toEqual(['GRAPHQL_VALIDATION_FAILED', []]);
      else {
        expect([inOrder(graphql.told), graphql.ran]).toEqual([inOrder(rest.told), rest.ran]);
        if (rest.told.code !== undefined) expect(graphql.told.code).toBe(rest.told.code);
      }
      if (refused) expect([rest.told.status, rest.ran]).toEqual([403, []]);
      if (rest.ran.length > 1) handedOn += 1;
    }),
    { numRuns: runs(160), seed: 24 },
  );
  expect(handedOn).toBeGreaterThan(2);
});
