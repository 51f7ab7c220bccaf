import type { JsonValue } from '../../compiler/graph/json-value.js';
import { isJsonObject } from '../limits/parse-json.js';
import type { StepResults, ToolOutcome } from './call-tool.js';
import { eventIdName } from './events.js';
import type { Tool } from './toolset/agent-tool.js';

/** The members of a result of `tools/call` that a server sets (MCP 2026-07-28, “Tools”). */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: { [name: string]: JsonValue };
  isError?: boolean;
  _meta?: { [name: string]: string };
}

/** The largest result, in characters of JSON: models read results as a whole. */
const mostCharacters = 100_000;

/** Writes an outcome for an agent: what ran as JSON, and why it ended early in words. */
export function toolResult({ definition }: Tool, { done, receipt, failure }: ToolOutcome): ToolResult {
  const { results, notice } = shorten(done);
  const notices = notice === undefined ? [] : [text(notice)];
  const meta = receipt === undefined ? {} : { _meta: { [eventIdName]: receipt } };
  if (failure === undefined)
    return { content: [text(JSON.stringify(results)), ...notices], structuredContent: results, ...meta };
  const { step, problem, isStarted } = failure;
  const { status, detail, members } = problem;
  const said = step === undefined ? detail : `${step}: ${detail}`;
  const before = isStarted ? '' : 'No operation has run.';
  const ran =
    Object.keys(results).length === 0
      ? before
      : `These operations have run: do not call them again, and pass their ids. ${JSON.stringify(results)}`;
  const failed = { ...(step !== undefined && { step }), status, detail, ...members };
  return {
    content: [text(`${said}\n${describeProblem(members)}${ran}`.trimEnd()), ...notices],
    // Clients compare structured content with the output schema, which an error does not have.
    ...(definition.outputSchema === undefined && {
      structuredContent: JSON.parse(JSON.stringify({ done: results, failed })),
    }),
    isError: true,
    ...meta,
  };
}

/** The members of a problem beside its detail: its code, and those of a declared error. */
function describeProblem({ parameter: _, ...members }: Readonly<Record<string, unknown>> = {}): string {
  // The detail names the parameter.
  return Object.keys(members).length === 0 ? '' : `${JSON.stringify(members)}\n`;
}

function text(content: string): ToolResult['content'][number] {
  return { type: 'text', text: content };
}

/** Cuts lists and texts until the results are short enough, and says so. */
function shorten(results: StepResults): {
  readonly results: { [name: string]: JsonValue };
  readonly notice?: string;
} {
  const size = JSON.stringify(results).length;
  if (size <= mostCharacters) return { results: { ...results } };
  for (const items of [100, 30, 10, 3, 1]) {
    const cut = cutTo(results, items, items * 100) as { [name: string]: JsonValue };
    if (JSON.stringify(cut).length > mostCharacters && items > 1) continue;
    const kept = `Lists are cut to ${items} items and texts to ${items * 100} characters`;
    return { results: cut, notice: `The result has ${size} characters. ${kept}: ask for less.` };
  }
  throw new Error('invariant: the last cut is taken');
}

function cutTo(value: JsonValue, items: number, characters: number): JsonValue {
  if (typeof value === 'string') return value.length > characters ? `${value.slice(0, characters)}…` : value;
  if (Array.isArray(value))
    return value.slice(0, items).map((item: JsonValue) => cutTo(item, items, characters));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cutTo(member, items, characters)]),
  );
}
