import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Redocly says of a document, in one line. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly pointer: string;
}

const cli = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/**
 * Lints OpenAPI documents.
 *
 * @returns the findings of each document, by its name
 */
export function lintOpenAPI(documents: Readonly<Record<string, object>>): Record<string, LintFinding[]> {
  const files = Object.entries(documents).map(([name, document]) => [`${name}.json`, document] as const);
  const findings = lint(Object.fromEntries(files), Object.keys(Object.fromEntries(files)));
  return Object.fromEntries(Object.keys(documents).map((name, at) => [name, findings[at] ?? []]));
}

/**
 * Lints Arazzo documents, each beside its OpenAPI document.
 *
 * @returns the findings of each document, by its name
 */
export function lintArazzo(
  documents: Readonly<
    Record<string, { readonly openapi: object; readonly arazzo: object; readonly asyncapi?: object }>
  >,
): Record<string, LintFinding[]> {
  const files = Object.entries(documents).flatMap(([name, { openapi, arazzo, asyncapi }]) => [
    [`${name}/openapi.json`, openapi] as const,
    ...(asyncapi === undefined ? [] : [[`${name}/asyncapi.json`, asyncapi] as const]),
    [`${name}/workflows.arazzo.json`, arazzo] as const,
  ]);
  const names = Object.keys(documents);
  const findings = lint(
    Object.fromEntries(files),
    names.map((name) => `${name}/workflows.arazzo.json`),
  );
  return Object.fromEntries(names.map((name, at) => [name, findings[at] ?? []]));
}

/** Lints some of the files with the recommended rules of Redocly, all in one process and without the network. */
function lint(files: Readonly<Record<string, object>>, linted: readonly string[]): LintFinding[][] {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-lint-'));
  try {
    for (const [file, document] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), JSON.stringify(document));
    }
    const args = [cli, 'lint', ...linted, '--format=json', '--max-problems=10000'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
    // One JSON object a document, with nothing between them.
    const reports = stdout.split(/(?<=^\})(?=\{)/m).filter((report) => report !== '');
    if (reports.length !== linted.length) throw new Error(`Redocly did not lint: ${stdout}${stderr}`);
    return reports.map((report) => (JSON.parse(report) as RedoclyReport).problems.map(findingOf));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findingOf({ ruleId, severity, message, location }: RedoclyProblem): LintFinding {
  return { rule: ruleId, severity, message, pointer: location[0]?.pointer ?? '' };
}

interface RedoclyReport {
  readonly problems: readonly RedoclyProblem[];
}

interface RedoclyProblem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}
