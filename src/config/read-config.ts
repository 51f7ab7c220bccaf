import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { Outcome } from '../diagnostics/outcome.js';
import type { JsonValue } from '../graph/json-value.js';
import type { ImportOptions } from '../load/import-reach.js';
import { configNames, projectRootOf } from '../load/project-root.js';
import { readTopologyFile } from '../load/read-topology.js';
import { isPath, loadModule } from '../load/user-module.js';
import { jsonPlaces, placeOfFault } from '../source/json-places.js';
import { pointerStep } from '../source/json-pointer.js';
import { createSourceFile, type SourceFile } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import { type ConfigMistake, checkConfig } from './check-config.js';
import { configSchema } from './config-schema.js';
import type { ProjectConfig } from './project-config.js';

/** A project file that was read. */
export interface ReadConfig {
  readonly config: ProjectConfig;
  /** Its absolute path. */
  readonly path: string;
}

/** What reading a project file gave: undefined without one, and if it cannot be read. */
export interface ConfigReading extends Outcome<ReadConfig | undefined> {
  /** Its text, for diagnostics; absent for a module. */
  readonly source?: SourceFile;
}

/** The maximum length of a project file in JSON. */
const maxLength = 1024 * 1024;

/**
 * Finds the project file and reads it: in a directory or the nearest one above it. The search ends at the root of the
 * package or the repository: the directory with a `package.json` or `.git`.
 *
 * @param directory - Where the search begins, and what paths in diagnostics are relative to.
 * @param named - The path of the file, if it is given.
 * @returns Undefined without a project file, and with errors.
 */
export async function readConfig(directory: string, named?: string): Promise<ConfigReading> {
  const found = named === undefined ? findConfig(directory) : [resolve(directory, named)];
  const [path] = found;
  if (path === undefined) return { value: undefined, diagnostics: [] };
  const shown = relative(directory, path) || path;
  const [, second] = found;
  if (second !== undefined) {
    const other = relative(directory, second);
    return failed(diagnose('GG5043', { one: shown, other }, { file: shown, start: 0, end: 0 }));
  }
  return path.endsWith('.json') ? readJson(path, shown) : readModule(path, shown, directory);
}

/** The sources of a project file with absolute paths; URLs stay as they are. */
export function placeSources({ config, path }: ReadConfig): readonly string[] {
  return (config.sources ?? []).map((source) => (isPath(source) ? resolve(dirname(path), source) : source));
}

/** What topologies may import beyond their own project, with absolute paths. */
export function placeImports({ config, path }: ReadConfig): ImportOptions {
  const { files, urls } = config.imports ?? {};
  return {
    ...(files && { files: files.map((file) => resolve(dirname(path), file)) }),
    ...(urls && { urls }),
  };
}

/** The same project file with the absolute path of the log file, if it has one. */
export function placeLogs({ config, path }: ReadConfig): ProjectConfig {
  const { logs } = config.server ?? {};
  if (typeof logs !== 'object' || logs.destination === undefined) return config;
  if (logs.destination === 'stdout' || logs.destination === 'stderr') return config;
  const destination = resolve(dirname(path), logs.destination);
  return { ...config, server: { ...config.server, logs: { ...logs, destination } } };
}

function findConfig(directory: string): readonly string[] {
  const root = projectRootOf(directory);
  const paths = root === undefined ? [] : configNames.map((name) => join(root, name));
  return paths.filter((path) => existsSync(path));
}

function readJson(path: string, shown: string): ConfigReading {
  const reading = readTopologyFile(path, shown);
  if (!reading.ok) return failed(reading.problem);
  if (reading.text.length > maxLength) {
    const reason = 'it is larger than 1 MiB';
    return failed(diagnose('GG5040', { path: shown, reason }, { file: shown, start: 0, end: 0 }));
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
  const placeOf = ({ path: steps, kind }: ConfigMistake): Span => {
    const pointer = steps.map(pointerStep).join('');
    const [start, end] = (kind === 'unknown' ? keys : values).get(pointer) ?? [0, 0];
    return { file: shown, start, end };
  };
  const diagnostics = checkConfig(configSchema, value).map((mistake) => explain(mistake, placeOf(mistake)));
  return { value: { config: value as ProjectConfig, path }, diagnostics, source };
}

async function readModule(path: string, shown: string, directory: string): Promise<ConfigReading> {
  const place: Span = { file: shown, start: 0, end: 0 };
  const fail = (reason: string, advice?: string) =>
    failed(diagnose('GG5040', { path: shown, reason, advice }, place));
  const module = await loadModule(path, directory, false);
  if (!module.ok) return fail(module.reason, module.advice);
  const { default: config } = module.exports;
  if (typeof config !== 'object' || config === null) return fail('its default export must be an object');
  const { implementations, rest } = withoutImplementations(config);
  const mistakes = [...checkConfig(configSchema, rest), ...implementations];
  const diagnostics = mistakes.map((mistake) => explain(mistake, place));
  return { value: { config: config as ProjectConfig, path }, diagnostics };
}

/** The implementations of scalars are code, which the schema does not describe. */
function withoutImplementations(config: object) {
  const implementations: ConfigMistake[] = [];
  const { scalars } = config as ProjectConfig;
  if (typeof scalars !== 'object' || scalars === null) return { implementations, rest: config };
  const plain = Object.entries(scalars).map(([name, scalar]) => {
    if (typeof scalar !== 'object' || scalar === null || scalar.implementation === undefined)
      return [name, scalar];
    const { implementation, ...others } = scalar;
    const parts = (implementation ?? {}) as Record<string, unknown>;
    if (!['serialize', 'parseValue', 'parseLiteral'].every((part) => typeof parts[part] === 'function')) {
      const expected = 'a GraphQLScalarType';
      implementations.push({
        kind: 'wrong',
        path: ['scalars', name, 'implementation'],
        expected,
        value: implementation,
      });
    }
    return [name, others];
  });
  return { implementations, rest: { ...config, scalars: Object.fromEntries(plain) } };
}

function explain(mistake: ConfigMistake, span: Span): Diagnostic {
  const key = mistake.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
  switch (mistake.kind) {
    case 'unknown':
      return diagnose('GG5041', { path: span.file, key, suggestion: mistake.suggestion }, span);
    case 'missing': {
      const expected = `have “${mistake.name}”`;
      return diagnose('GG5042', { path: span.file, key, expected }, span);
    }
    case 'wrong': {
      const expected = `be ${mistake.expected}, not ${shorten(mistake.value)}`;
      return diagnose('GG5042', { path: span.file, key, expected }, span);
    }
  }
}

function shorten(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function failed(problem: Diagnostic): Outcome<undefined> {
  return { value: undefined, diagnostics: [problem] };
}
