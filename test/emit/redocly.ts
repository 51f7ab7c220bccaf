import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Redocly says of a document, in one line. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly pointer: string;
}

const cli = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/**
 * Lints documents with the recommended rules of Redocly, all in one process and without the network.
 *
 * @returns the findings of each document, by its name
 */
export function lintOpenAPI(documents: Readonly<Record<string, object>>): Record<string, LintFinding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-lint-'));
  try {
    const files = Object.entries(documents).map(([name, document]) => {
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
      return `${name}.json`;
    });
    const args = [cli, 'lint', ...files, '--format=json', '--max-problems=10000'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
    // One JSON object a document, with nothing between them.
    const reports = stdout.split(/(?<=^\})(?=\{)/m).filter((report) => report !== '');
    if (reports.length !== files.length) throw new Error(`Redocly did not lint: ${stdout}${stderr}`);
    const findings = reports.map((report) => (JSON.parse(report) as RedoclyReport).problems.map(findingOf));
    return Object.fromEntries(Object.keys(documents).map((name, at) => [name, findings[at] ?? []]));
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
