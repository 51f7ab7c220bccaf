import { type Diagnostic, diagnose, type Outcome } from '../../base/diagnostics/diagnostic.js';
import { compileSchema, type JsonSchema, type SchemaMisfit } from '../../base/json-schema/compile-schema.js';
import { jsonPlaces, placeOfFault } from '../../base/source/json-places.js';
import { pointerStep } from '../../base/source/json-pointer.js';
import type { SourceFile } from '../../base/source/source-file.js';
import { type Span, wholeFile } from '../../base/source/span.js';
import { aliasesOf } from '../../compiler/api/old-names.js';
import { isStandardValue, type StandardScalar, standardScalars } from '../../compiler/graph/standard-scalars.js';
import { createSuggester } from '../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { SchemaChange } from './model/change.js';
import { changeKinds, isChangeKind } from './model/change-kinds.js';
import type { JudgedChange, Waiver } from './model/diff-report.js';

interface WaiverFile {
  readonly waivers: readonly (Omit<Waiver, 'coordinates' | 'span'> & {
    readonly coordinate: string | readonly string[];
  })[];
}

const text: JsonSchema = { type: 'string', accepts: (given) => given.trim() !== '' };

const described = { description: '“coordinate” must be a string or a list of strings, such as "User.email"' };
const coordinate: JsonSchema = { ...text, ...described };

/** The schema of a file of waivers. The description of a part is the mistake of a value that does not fit. */
const fileSchema: JsonSchema = {
  type: 'object',
  description: 'it must be an object with a list of waivers',
  required: ['version', 'waivers'],
  additionalProperties: false,
  properties: {
    $schema: {},
    version: { const: 1, description: '“version” must be 1' },
    waivers: {
      type: 'array',
      description: '“waivers” must be a list',
      items: {
        type: 'object',
        required: ['kind', 'coordinate', 'reason', 'expires'],
        additionalProperties: false,
        properties: {
          kind: {
            type: 'string',
            accepts: isChangeKind,
            description: '“kind” must be a kind of change, such as "field-removed"',
          },
          coordinate: {
            anyOf: [coordinate, { ...described, type: 'array', items: coordinate, minItems: 1 }],
            ...described,
          },
          topology: { ...text, description: '“topology” must be a string' },
          reason: { ...text, description: '“reason” must say why the change may pass' },
          expires: { type: 'string', accepts: isDay, description: '“expires” must be a date, such as "2030-12-31"' },
        },
      },
    },
  },
};

const checkFile = compileSchema(fileSchema);

/**
 * Reads a file of waivers: `{ "version": 1, "waivers": [{ "kind", "coordinate", "reason", "expires" }] }`.
 * `coordinate` is one or a list of them; `topology` may narrow it to one topology. Errors are
 * diagnostics (GG5026); then no waiver applies, because a partial list could allow unapproved changes.
 */
export function readWaivers(file: SourceFile): Outcome<readonly Waiver[]> {
  const report = (reason: string, span: Span, isRename = false) =>
    diagnose('GG5026', { path: file.name, reason, isRename }, span);
  let root: unknown;
  try {
    root = JSON.parse(file.text);
  } catch (error) {
    const span = placeOfFault(file, (error as SyntaxError).message);
    return { value: [], diagnostics: [report('it is not JSON', span, /^\W*rename/m.test(file.text))] };
  }
  const { values: places } = jsonPlaces(file.text);
  const spanOf = (index: string | number | undefined): Span => {
    const [start, end] = (index !== undefined && places.get(`/waivers${pointerStep(index)}`)) || [0, 0];
    return { file: file.name, start, end };
  };
  const misfits = checkFile(root);
  // One entry that means to rename has several misfits, which are one mistake.
  const renames = new Set(misfits.filter(isRename).map(({ path }) => path[1]));
  if (misfits.length > 0) {
    const others = misfits.filter(({ path }) => !renames.has(path[1]));
    return {
      value: [],
      diagnostics: [
        ...[...renames].map((index) => report('a waiver cannot keep an old name', spanOf(index), true)),
        ...others.map((one) => report(reasonOf(one), spanOf(one.path[1]))),
      ],
    };
  }
  const waivers = (root as WaiverFile).waivers.map(({ coordinate, topology, ...waiver }, index) => {
    return { ...waiver, topology, coordinates: [coordinate].flat(), span: spanOf(index) };
  });
  return { value: waivers, diagnostics: [] };
}

/** Whether an entry has a member such as `rename`, or that as its kind. */
function isRename({ path, keyword, value }: SchemaMisfit): boolean {
  const word = keyword === 'additionalProperties' ? path.at(-1) : path.at(-1) === 'kind' ? value : '';
  return path[0] === 'waivers' && /^rename/i.test(String(word));
}

function reasonOf({ path, keyword, schema, value }: SchemaMisfit): string {
  const name = String(path.at(-1));
  if (keyword === 'additionalProperties') {
    // An unknown member is usually a misspelt one.
    const suggestion = createSuggester(Object.keys(schema.properties ?? {})).nearest(name);
    return `unknown member “${name}”${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`;
  }
  if (schema.accepts === isChangeKind && typeof value === 'string') {
    const suggestion = createSuggester(Object.keys(changeKinds)).nearest(value);
    return `unknown kind of change ${value}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`;
  }
  const { description } = (keyword === 'required' && schema.properties?.[name]) || schema;
  return description ?? `waiver ${Number(name) + 1} must be an object`;
}

/** Whether a text is a calendar day such as `2030-12-31`; February 30 is not. */
export function isDay(day: string): boolean {
  return isStandardValue(standardScalars.get('Date') as StandardScalar, day);
}

/** The waivers of the old names whose last month is over, by their coordinates. */
function announcedRemovals(schema: GqlSchema, today: string): ReadonlyMap<string, Waiver> {
  const over = aliasesOf(schema).filter(({ until }) => until < today.slice(0, until.length));
  return new Map(
    over.flatMap(({ to, until, coordinates, span = wholeFile('') }) => {
      const reason = `Renamed to ${to}, as @renamedFrom announced.`;
      const waiver = { kind: 'field-removed', coordinates, topology: undefined, reason, expires: until, span };
      return coordinates.map((coordinate) => [coordinate, waiver as Waiver] as const);
    }),
  );
}

export type WaiverBook = ReturnType<typeof createWaiverBook>;

/**
 * Matches changes with waivers, and records which waivers were used.
 *
 * @param today the current day, as `2026-11-21`. A waiver is valid on its last day, but not after it.
 */
export function createWaiverBook(waivers: readonly Waiver[], today: string) {
  const used = new Map(waivers.map((waiver) => [waiver, new Set<string>()]));
  const isExpired = ({ expires }: Waiver) => expires < today;
  return {
    /**
     * Marks the waived changes of one topology. Safe changes need no waiver, and the removal of an old name that was
     * announced has one.
     *
     * @param before the schema that callers use now
     */
    judge: (topology: string, changes: readonly SchemaChange[], before?: GqlSchema) => {
      const announced = before === undefined ? new Map<string, Waiver>() : announcedRemovals(before, today);
      return changes.map((change): JudgedChange => {
        if (change.level === 'safe') return { ...change, waiver: undefined };
        const removal = change.kind.endsWith('-removed') ? announced.get(change.coordinate) : undefined;
        if (removal !== undefined) return { ...change, waiver: { ...removal, kind: change.kind } };
        const matching = waivers.filter(
          (waiver) =>
            waiver.kind === change.kind &&
            waiver.coordinates.includes(change.coordinate) &&
            (waiver.topology === undefined || waiver.topology === topology),
        );
        for (const waiver of matching) used.get(waiver)?.add(change.coordinate);
        return { ...change, waiver: matching.find((waiver) => !isExpired(waiver)) };
      });
    },
    /** The findings after all changes: expired waivers (GG5027) and unused ones (GG5028). */
    findings: () =>
      waivers.flatMap((waiver): Diagnostic[] => {
        const { kind, expires, span, coordinates } = waiver;
        const unused = coordinates.filter((coordinate) => used.get(waiver)?.has(coordinate) !== true);
        return [
          ...(isExpired(waiver) ? [diagnose('GG5027', { kind, expires }, span)] : []),
          ...unused.map((coordinate) => diagnose('GG5028', { kind, coordinate }, span)),
        ];
      }),
  };
}
