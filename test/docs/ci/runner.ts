import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { repository } from '../../tools/cli/stand-in-io.js';

const root = fileURLToPath(repository);

/** The parts of action.yml that the runner reads. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly ActionStep[] };
}

interface ActionStep {
  readonly id?: string;
  readonly if?: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

export const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

/** What a run of the action left behind. */
export interface ActionRun {
  readonly failed: boolean;
  readonly log: string;
  readonly summary: string;
}

/**
 * Runs the steps of action.yml as GitHub does: expressions are filled in, each step is a script of bash, and what it
 * writes to `GITHUB_OUTPUT` is there for the next one.
 *
 * @param event - The payload of the event.
 */
export async function runAction(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  event: object,
  api: string,
): Promise<ActionRun> {
  const scratch = mkdtempSync(join(workspace, '../runner-'));
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const contexts = {
    inputs: { ...Object.fromEntries(defaults), ...inputs },
    github: { token: 'secret-token', event },
    steps,
  };
  let failed = false;
  let log = '';
  for (const [index, step] of action.runs.steps.entries()) {
    const condition = step.if ?? 'success()';
    if (!evaluate(condition, contexts, failed)) continue;
    const output = join(scratch, `output-${index}`);
    const env = Object.entries(step.env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, contexts, failed) ?? '')),
    ]);
    const result = await execute(step.run, workspace, {
      ...process.env,
      ...Object.fromEntries(env),
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: root,
      GITHUB_API_URL: api,
      GITHUB_OUTPUT: output,
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_STEP_SUMMARY: join(scratch, 'summary'),
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: scratch,
    });
    failed ||= result.status !== 0;
    log += result.output;
    const lines = read(output)
      .split('\n')
      .filter((line) => line !== '');
    if (step.id !== undefined) {
      const pairs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
      steps[step.id] = { outputs: Object.fromEntries(pairs) };
    }
  }
  return { failed, log, summary: read(join(scratch, 'summary')) };
}

function evaluate(expression: string, contexts: object, failed: boolean): unknown {
  const script = expression.replace(
    /\b(inputs|github|steps)((?:\.[\w-]+)+)/g,
    (_, context, path: string) => `${context}${path.replace(/\.([\w-]+)/g, "?.['$1']")}`,
  );
  return runInNewContext(script, { ...contexts, always: () => true, success: () => !failed });
}

function execute(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    // As for `shell: bash`.
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => resolve({ status, output }));
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The commands that the runner obeys: lines that begin with `::`, unless commands are stopped. */
export function workflowCommands(log: string): readonly string[] {
  const commands: string[] = [];
  let stopped: string | undefined;
  for (const line of log.split('\n').map((each) => each.trimStart())) {
    const token = /^::stop-commands::(.*)$/.exec(line)?.[1];
    if (stopped !== undefined) {
      if (line === `::${stopped}::`) stopped = undefined;
    } else if (token !== undefined) stopped = token;
    else if (line.startsWith('::')) commands.push(line);
  }
  return commands;
}

/** A comment on a pull request. */
export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string };
}

/** The part of GitHub's REST API that the action calls. */
export interface FakeGitHub {
  readonly url: string;
  readonly comments: Comment[];
  readonly requests: string[];
  /** The status of every answer, in place of success. */
  status: number | undefined;
  readonly close: () => void;
}

export async function startGitHub(): Promise<FakeGitHub> {
  const comments: Comment[] = [];
  const requests: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push(`${method} ${url} ${headers.authorization}`);
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (gitHub.status !== undefined) return answer(gitHub.status, { message: 'no' });
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (method === 'GET' && pathname === '/repos/owner/name/issues/7/comments') {
      const [page, size] = ['page', 'per_page'].map((name) => Number(searchParams.get(name)));
      return answer(200, comments.slice(((page ?? 1) - 1) * (size ?? 30), (page ?? 1) * (size ?? 30)));
    }
    const { body } = JSON.parse(await readBody(request)) as { body: string };
    if (body.length > 65_536) return answer(422, { message: 'body is too long' });
    if (method === 'POST' && pathname === '/repos/owner/name/issues/7/comments') {
      comments.push({ id: 1000 + comments.length, body, user: { type: 'Bot' } });
      return answer(201, comments.at(-1));
    }
    const comment = comments.find(({ id }) => pathname === `/repos/owner/name/issues/comments/${id}`);
    if (method !== 'PATCH' || comment === undefined) return answer(404, {});
    comment.body = body;
    return answer(200, comment);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gitHub: FakeGitHub = {
    url: `http://127.0.0.1:${port}`,
    comments,
    requests,
    status: undefined,
    close: () => server.close(),
  };
  return gitHub;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
