import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { changeKinds } from '../../../src/analysis/diff/model/change-kinds.js';
import { compile } from '../../../src/compiler/compile.js';
import { baseName } from '../../../src/compiler/graph/type-ref.js';
import { allOperations, type GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { runs } from '../../arbitraries/runs.js';
import { type TopologySize, topologies } from '../../arbitraries/topology.js';
import {
  graphqlJsFindings,
  inspectorFindings,
  missed,
  projected,
  typeOfCoordinate,
  unreachedTypes,
} from './other-tools.js';
import { schemaEdits } from './schema-edits.js';

const size = { maxNodes: 7, maxPipelines: 6 };
// Tags, settings and the other kinds of nodes change what the two tools do not know.
const plain = { ...size, isPlain: true };

/** Two versions of one API, as edits of the model make them. */
const editedSchemas = fc
  .tuple(topologies(plain), schemaEdits())
  .map(([{ text }, edit]): readonly [GqlSchema, GqlSchema] => {
    const { schema } = compile(text);
    return [schema, edit(schema)];
  });

/** Two versions of one API, as edits of the text make them: statements that go, words that change. */
const editedTexts = fc
  .tuple(topologies(plain), fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }))
  .map(([{ text }, edits]): readonly [string, string] => [text, edits.reduce(editText, text)]);

/** Two APIs that have nothing to do with each other but some names. */
const strangers = pairsOf(plain);
const strangersOfAnyKind = pairsOf(size);

function pairsOf(of: TopologySize): fc.Arbitrary<readonly [GqlSchema, GqlSchema]> {
  return fc
    .tuple(topologies(of), topologies(of))
    .map(([one, other]) => [compile(one.text).schema, compile(other.text).schema]);
}

function editText(text: string, [what, where]: readonly [number, number]): string {
  const [pattern, replacement] = textEdits[what % textEdits.length] as readonly [RegExp, string];
  const places = [...text.matchAll(pattern)];
  const match = places[where % Math.max(1, places.length)];
  if (match === undefined) return text;
  return text.slice(0, match.index) + replacement + text.slice(match.index + match[0].length);
}

const textEdits: readonly (readonly [RegExp, string])[] = [
  [/^\(.*$/gm, ''],
  [/(?<=[:=] *)ID!/g, 'ID'],
  [/(?<=[:=] *)String!/g, '[String!]'],
  [/Int\b/g, 'Float'],
  [/Int = 20/g, 'Int! = 7'],
  [/typed\d[ :=]+\S+?(?=[,\s}])/g, 'other: ID'],
  [/-\[:PROCESS/g, '-[:FOLD'],
  [/-\[:FOLD/g, '-[:PROCESS'],
  [/-\[:FORK/g, '-[:MEASURE'],
  [/-\[:RACE/g, '-[:MEASURE'],
  [/\bACTIVE\b/g, 'PASSIVE'],
  [/Record/g, 'Entity'],
  [/A thing\./g, 'Something.'],
  [/: *Enum\b/g, ': Scalar'],
  [/operation: 'operation1'/g, ''],
];

/** Holds our changes of a pair against what the two other tools find. */
async function expectNothingMissed([before, after]: readonly [GqlSchema, GqlSchema]): Promise<void> {
  const changes = diffSchemas(before, after);
  const [old, now] = [projected(before), projected(after)];
  const findings = graphqlJsFindings(old, now);
  const isUnreached = unreachedIn(before, after);
  expect(missed(findings, changes, isUnreached)).toEqual([]);
  expect(missed(await inspectorFindings(old, now, changes), changes, isUnreached)).toEqual([]);
  // A built-in scalar that is gone is breaking to graphql-js; to us, what used it is, if an operation reaches it.
  if (findings.some(({ kinds, coordinate }) => kinds?.includes('scalar-unused') && !isUnreached(coordinate))) {
    expect(changes.some(({ level }) => level === 'breaking')).toBe(true);
  }
}

function declaredTypes(schema: GqlSchema): readonly string[] {
  const { objects, interfaces = [], inputs, enums, scalars, unions } = schema;
  return [objects, interfaces, inputs, enums, scalars, unions].flatMap((list) => list.map(({ name }) => name));
}

/** Whether no operation of two schemas reaches a type. */
function unreachedIn(...models: readonly GqlSchema[]): (type: string) => boolean {
  const sides = models.map((model) => {
    const schema = projected(model);
    return { schema, unreached: unreachedTypes(schema, typesOfErrors(model)) };
  });
  return (type) => sides.every(({ schema, unreached }) => unreached.has(type) || !schema.getType(type));
}

/** The types in the errors that operations declare: REST returns them, and GraphQL knows nothing of them. */
function typesOfErrors(model: GqlSchema): readonly string[] {
  const { problems = [] } = model;
  const thrown = new Set(allOperations(model).flatMap(({ throws = [] }) => throws));
  return problems
    .filter(({ name }) => thrown.has(name))
    .flatMap(({ fields }) => fields.map(({ type }) => baseName(type)));
}

const often = { numRuns: runs(100) };

describe('the changes that graphql-js and GraphQL Inspector find are found', () => {
  it('between versions whose models were edited', async () => {
    await fc.assert(fc.asyncProperty(editedSchemas, expectNothingMissed), often);
  });

  it('between versions whose texts were edited', async () => {
    await fc.assert(
      fc.asyncProperty(editedTexts, async ([before, after]) => {
        const [old, now] = [compile(before), compile(after)];
        fc.pre(old.ok && now.ok && before !== after);
        await expectNothingMissed([old.schema, now.schema]);
      }),
      often,
    );
  });

  it('between two APIs that only share some names', async () => {
    await fc.assert(fc.asyncProperty(strangers, expectNothingMissed), { numRuns: runs(60) });
  });
});

describe('the changes between any two schemas', () => {
  it('do not exist between a schema and itself with other places', () => {
    fc.assert(
      fc.property(topologies(size), ({ text }) => {
        expect(diffSchemas(compile(text).schema, compile(`// A comment.\n${text}`).schema)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  it('have unique kinds and coordinates, and levels that their kinds allow', () => {
    fc.assert(
      fc.property(fc.oneof(editedSchemas, strangersOfAnyKind), ([before, after]) => {
        const changes = diffSchemas(before, after);
        const identities = changes.map(({ kind, coordinate }) => `${kind} ${coordinate}`);
        expect(new Set(identities).size).toBe(identities.length);
        for (const { kind, level, reach } of changes) {
          const unreached = reach.routes.length === 0 ? ['safe'] : [];
          expect([...changeKinds[kind].levels, ...unreached]).toContain(level);
        }
      }),
      often,
    );
  });

  it('of types that no operation reaches in either of them are safe, the others at the levels of their kinds', () => {
    fc.assert(
      fc.property(fc.oneof(editedSchemas, strangersOfAnyKind), ([before, after]) => {
        const isUnreached = unreachedIn(before, after);
        const declared = new Set([...declaredTypes(before), ...declaredTypes(after)]);
        for (const { kind, level, coordinate } of diffSchemas(before, after)) {
          const type = typeOfCoordinate(coordinate);
          if (!declared.has(type)) continue;
          expect(isUnreached(type) ? ['safe'] : changeKinds[kind].levels).toContain(level);
        }
      }),
      often,
    );
  });

  it('are sorted, the worst first', () => {
    fc.assert(
      fc.property(strangersOfAnyKind, ([before, after]) => {
        const levels = diffSchemas(before, after).map(({ level }) => ['breaking', 'dangerous', 'safe'].indexOf(level));
        expect(levels).toEqual(levels.toSorted());
      }),
      { numRuns: runs(40) },
    );
  });

  it('name only operations that the schemas have', () => {
    fc.assert(
      fc.property(fc.oneof(editedSchemas, strangersOfAnyKind), ([before, after]) => {
        const names = (list: 'queries' | 'mutations' | 'subscriptions') =>
          [before, after].flatMap((schema) => schema[list].map(({ name }) => name));
        for (const { reach } of diffSchemas(before, after)) {
          for (const list of ['queries', 'mutations', 'subscriptions'] as const) {
            for (const name of reach[list]) expect(names(list)).toContain(name);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
