import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Diagnostic, diagnose, type Outcome } from '../../base/diagnostics/diagnostic.js';
import { shownValue } from '../../base/diagnostics/shown-value.js';
import { jsonPlaces, placeOfFault } from '../../base/source/json-places.js';
import { pointerStep, printPath } from '../../base/source/json-pointer.js';
import { createSourceFile, type SourceFile } from '../../base/source/source-file.js';
import { type Span, wholeFile } from '../../base/source/span.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { configNames, projectRootOf } from '../load/project-root.js';
import { readTopologyFile } from '../load/read-topology.js';
import { isPath, loadModule } from '../load/user-module.js';
import type { ConfigMistake } from './check-config.js';
import type { ProjectConfig } from './project-config.js';

export interface ReadConfig {
  readonly config: ProjectConfig;
  readonly path: string;
}

/** The result of reading a project file: undefined without one, and if it cannot be read. */
interface ConfigReading extends Outcome<ReadConfig | undefined> {
  /** Its text, for diagnostics; absent for a module. */
  readonly source?: SourceFile;
}

const maxLength = 1024 * 1024;

/** Where log lines go: a path, unless it is a stream. */
export const logDestination = 'server.logs.destination';

/** Finds and reads the project file in a directory or above it, up to the root of the package or the repository. */
export async function readConfig(directory: string, named?: string): Promise<ConfigReading> {
  const found = named === undefined ? findConfig(directory) : [resolve(directory, named)];
  const [path] = found;
  if (path === undefined) return { value: undefined, diagnostics: [] };
  const shown = relative(directory, path) || path;
  const [, second] = found;
  if (second !== undefined) {
    const other = relative(directory, second);
    return failed(diagnose('GG5043', { one: shown, other }, wholeFile(shown)));
  }
  return path.endsWith('.json') ? readJson(path, shown) : readModule(path, shown, directory);
}

/** The settings that are paths, by their names in the project file. */
const pathSettings = [
  'sources',
  'imports.files',
  'resolvers',
  'channels',
  'outputs.directory',
  'outputs.types',
  'server.context',
  'server.auth.jwt.jwks',
  'server.store.file',
  'server.runs.file',
  logDestination,
  'diff.waivers',
  'federation.bundle',
  'federation.trust',
];

/**
 * The same settings with absolute paths.
 *
 * @param show - Makes another form of an absolute path of a setting.
 */
export function placePaths(
  { config, path }: ReadConfig,
  show = (absolute: string, _setting: string): string => absolute,
): ProjectConfig {
  const place = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => place(item, name));
    if (typeof value === 'string') {
      const isStream = name === logDestination && (value === 'stdout' || value === 'stderr');
      const isPlaced = pathSettings.includes(name) && isPath(value) && !isStream && value !== ':memory:';
      return isPlaced ? show(resolve(dirname(path), value), name) : value;
    }
    const hasPaths = pathSettings.some((setting) => setting.startsWith(`${name}.`));
    return hasPaths && typeof value === 'object' && value !== null ? placeAll(value, `${name}.`) : value;
  };
  const placeAll = (settings: object, prefix: string): object =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, place(value, `${prefix}${key}`)]));
  return placeAll(config, '');
}

function findConfig(directory: string): readonly string[] {
  const root = projectRootOf(directory);
  const paths = root === undefined ? [] : configNames.map((name) => join(root, name));
  return paths.filter((path) => existsSync(path));
}

async function readJson(path: string, shown: string): Promise<ConfigReading> {
  const reading = readTopologyFile(path, shown);
  if (!reading.ok) return failed(reading.problem);
  if (reading.text.length > maxLength) {
    const reason = 'it is larger than 1 MiB';
    return failed(diagnose('GG5040', { path: shown, reason }, wholeFile(shown)));
  }
  const source = createSourceFile(shown, reading.text);
  let value: JsonValue;
  try {
    value = JSON.parse(reading.text) as JsonValue;
  } catch (error) {
    const span = placeOfFault(source, (error as SyntaxError).message);
    const problem = diagnose('GG5040', { path: shown, reason: 'it is not JSON' }, span);
    return { ...failed(problem), source };
  }
  const { values, keys } = jsonPlaces(reading.text);
  const diagnostics = (await findConfigMistakes(value)).map((mistake) => {
    const pointer = mistake.path.map(pointerStep).join('');
    const [start, end] = (mistake.expected === undefined ? keys : values).get(pointer) ?? [0, 0];
    return explain(mistake, { file: shown, start, end });
  });
  return { value: { config: value as ProjectConfig, path }, diagnostics, source };
}

async function readModule(path: string, shown: string, directory: string): Promise<ConfigReading> {
  const place: Span = wholeFile(shown);
  const fail = (reason: string, advice?: string) => failed(diagnose('GG5040', { path: shown, reason, advice }, place));
  const module = await loadModule(path, directory);
  if (!module.ok) return fail(module.reason, module.advice);
  const { default: config } = module.exports;
  if (typeof config !== 'object' || config === null) return fail('its default export must be an object');
  const { implementations, rest } = withoutImplementations(config);
  const mistakes = [...(await findConfigMistakes(rest)), ...implementations];
  const diagnostics = mistakes.map((mistake) => explain(mistake, place));
  return { value: { config: config as ProjectConfig, path }, diagnostics };
}

/** The schema is loaded when there is a project file: most of a start without one would be spent on it. */
export async function findConfigMistakes(value: unknown): Promise<readonly ConfigMistake[]> {
  const [{ checkConfig }, { default: configSchema }] = await Promise.all([
    import('./check-config.js'),
    import('../../../gg-svc.config.schema.json', { with: { type: 'json' } }),
  ]);
  return checkConfig(configSchema, value);
}

/** The implementations of scalars are code, which the schema does not describe. */
function withoutImplementations(config: object) {
  const implementations: ConfigMistake[] = [];
  const { scalars } = config as ProjectConfig;
  if (typeof scalars !== 'object' || scalars === null) return { implementations, rest: config };
  const plain = Object.entries(scalars).map(([name, scalar]) => {
    if (typeof scalar !== 'object' || scalar === null || scalar.implementation === undefined) return [name, scalar];
    const { implementation, ...others } = scalar;
    const parts = (implementation ?? {}) as Record<string, unknown>;
    if (!['serialize', 'parseValue', 'parseLiteral'].every((part) => typeof parts[part] === 'function')) {
      const expected = `be a GraphQLScalarType, not ${shownValue(implementation)}`;
      implementations.push({ path: ['scalars', name, 'implementation'], expected });
    }
    return [name, others];
  });
  return { implementations, rest: { ...config, scalars: Object.fromEntries(plain) } };
}

function explain({ path, expected, suggestion }: ConfigMistake, span: Span): Diagnostic {
  const key = printPath(path);
  return expected === undefined
    ? diagnose('GG5041', { path: span.file, key, suggestion }, span)
    : diagnose('GG5042', { path: span.file, key, expected }, span);
}

function failed(problem: Diagnostic): Outcome<undefined> {
  return { value: undefined, diagnostics: [problem] };
}
