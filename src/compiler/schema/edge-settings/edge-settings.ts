import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { sameJson } from '../../../base/json-schema/same-json.js';
import { demandWords, whyInvalidScope } from '../../graph/access.js';
import { readDuration } from '../../graph/duration.js';
import type { GraphEdge, Setting } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import { readPageSize } from '../../graph/page-size.js';
import { createSuggester } from '../../graph/suggest.js';
import { pageArguments } from '../cursor.js';
import type { GqlWrites, OperationKind } from '../gql-schema.js';
import type { EdgeSetting, OperationPart, SettingScope } from './edge-setting.js';
import { readRoute } from './read-route.js';

const calls: readonly OperationKind[] = ['query', 'mutation'];
const operations: readonly OperationKind[] = [...calls, 'subscription'];

/**
 * The settings of edges that become parts of operations. `operation`, `union` and `after` belong to the grouping. To add
 * a setting, add an entry.
 */
export const edgeSettings: readonly EdgeSetting[] = [
  // `route: 'PUT /books/{isbn}'`: the REST route in place of the default one.
  {
    key: 'route',
    kinds: calls,
    detail: 'the method and the path of the REST route',
    snippet: "'",
    expected: (kind) => `a method and a path in quotes, such as '${kind === 'query' ? 'GET' : 'PUT'} /books/{isbn}'`,
    isMeant: matches(/\//),
    read: readRoute,
  },
  { key: 'status', detail: 'the HTTP status of a successful REST response', ...statusOf('status', 2) },
  { key: 'null', detail: 'the HTTP status of a REST response without a result', ...statusOf('nullStatus', 4) },
  {
    key: 'throws',
    kinds: operations,
    joins: 'throws',
    detail: 'the declared errors of the operation',
    snippet: '[',
    expected: 'a list of declared errors, such as [OutOfStock]',
    isMeant: (value) => Array.isArray(value) || matches(/^[A-Z]/)(value),
    read: readThrows,
  },
  // `page: 20`: the result is a connection, with 20 items in a page unless callers ask for another number.
  // `page: '20 totalCount'`: pages tell the number of all items, too.
  {
    key: 'page',
    kinds: ['query'],
    detail: 'the number of items in a page of the result',
    snippet: '',
    expected: 'the number of items in a page, such as 20',
    isMeant: matches(/^\d+( +totalCount)?$/),
    read: readPage,
  },
  // `fields: ['id', 'author.name']`: the fields of a REST response, unless callers name others.
  {
    key: 'fields',
    kinds: calls,
    detail: 'the fields of a REST response by default',
    snippet: "['",
    expected: "a list of fields in quotes, such as ['id', 'author.name']",
    isMeant: Array.isArray,
    read: ({ value: fields }) => (isTextList(fields) ? { fields } : undefined),
  },
  // `idempotent: 'required'`: callers must send an idempotency key, so that a repeat never runs twice.
  {
    key: 'idempotent',
    kinds: ['mutation'],
    detail: 'whether callers must send an idempotency key',
    snippet: "'required'",
    expected: "'required'",
    isMeant: matches(/^(?:required|true)$/i),
    read: ({ value }) => (value === 'required' ? { idempotent: value } : undefined),
  },
  // `etag: true`: REST answers reads with their ETag, and compares that of writes with what a read has now.
  {
    key: 'etag',
    kinds: calls,
    detail: 'whether REST reads have an ETag, and writes name it in If-Match',
    snippet: 'true',
    expected: (kind) => (kind === 'query' ? 'true' : "true or 'required'"),
    isMeant: matches(/^(?:required|true)$/i),
    read: readEtag,
  },
  // `writes: 'update'`: what the store does, where the arguments alone would say otherwise.
  {
    key: 'writes',
    kinds: ['mutation'],
    detail: 'what the store does: insert, update, upsert or delete',
    snippet: "'",
    expected: "'insert', 'update', 'upsert' or 'delete'",
    isMeant: matches(/^(?:insert|update|upsert|delete)$/i),
    read: ({ value }) =>
      matches(/^(?:insert|update|upsert|delete)$/)(value) ? { writes: value as GqlWrites } : undefined,
  },
  // `chain: true`: clients run the operation and those that lead to it with one request.
  flag('chain', 'whether one request runs the operation and those that lead to it'),
  // `partition: 'orderId'`: events with the same value of the field keep their order. See `checkPartitions`.
  {
    key: 'partition',
    kinds: ['subscription'],
    detail: 'the field of the event that tells what it is about',
    snippet: "'",
    expected: "a field of the event in quotes, such as 'orderId'",
    isMeant: matches(/^[a-z_]\w*$/i),
    read: ({ value: partition }) => (typeof partition === 'string' && partition !== '' ? { partition } : undefined),
  },
  // `durable: true`: the chain goes on after the request, and after the end of the process.
  flag('durable', 'whether the chain is a run that goes on if the process ends'),
  // `undo: 'cancelOrder'`: what a durable chain runs if a later step fails for good. Checked with the chains (GG3118).
  {
    key: 'undo',
    kinds: ['mutation'],
    detail: 'the mutation that undoes it if a later step of a durable chain fails',
    snippet: "'",
    expected: 'the name of a mutation in quotes',
    isMeant: matches(/^[a-z_]\w*$/),
    read: ({ value: undo }) => (typeof undo === 'string' && /^\w+$/.test(undo) ? { undo } : undefined),
  },
  {
    key: 'retries',
    kinds: calls,
    detail: 'how often a durable chain tries it again after a failure of the server',
    snippet: '',
    expected: 'a number from 0 to 100',
    isMeant: matches(/^\d+$/),
    read: ({ value: retries }) =>
      typeof retries === 'number' && Number.isInteger(retries) && retries >= 0 && retries <= 100
        ? { retries }
        : undefined,
  },
  // `awaits: 'parcelScanned'`: the step waits for an event of its run. Checked with the chains (GG3120, GG3122).
  {
    key: 'awaits',
    kinds: calls,
    detail: 'the event for which a durable chain waits before it',
    snippet: "'",
    expected: 'the name of an event in quotes',
    isMeant: matches(/^[a-z_]\w*$/),
    read: ({ value: awaits }) => (typeof awaits === 'string' && /^\w+$/.test(awaits) ? { awaits } : undefined),
  },
  { key: 'within', detail: 'how long a durable chain waits for its event, and tries it', ...durationOf('within') },
  { key: 'pause', detail: 'how long a durable chain pauses before it', ...durationOf('pause') },
  {
    key: 'auth',
    kinds: operations,
    detail: 'whether callers must authenticate, or may',
    snippet: "'required'",
    expected: "'required' or 'optional'",
    isMeant: matches(/^(?:required|optional)$/i),
    read: readAuth,
  },
  {
    ...listOf('scopes', 'scope'),
    joins: 'scopes',
    detail: 'the scopes that callers must have, all of them',
    expected: "a list of scopes in quotes, such as ['orders:write']",
    // “scope” is a common word of notes, too.
    isMeant: (value) => Array.isArray(value) || matches(/^[\w-]+[:.][\w:.-]+$/)(value),
  },
  {
    ...listOf('anyScope', 'scope'),
    detail: 'the scopes of which callers must have one',
    expected: "a list of scopes in quotes, such as ['orders:read', 'orders:write']",
  },
  {
    ...listOf('roles', 'role'),
    detail: 'the roles of which callers must have one',
    expected: "a list of roles in quotes, such as ['admin']",
  },
  // `owner: 'patientId'`: callers must authenticate, and the argument of this name, or without one the field of the
  // result, must be their own id. That there is one is checked with the whole schema (GG3076).
  {
    key: 'owner',
    kinds: operations,
    detail: 'the argument, or the field of the result, that must be the id of the caller',
    snippet: "'",
    expected: 'the name of an argument in quotes',
    isMeant: matches(/^[a-z_]\w*$/i),
    read: ({ value: owner }) => (typeof owner === 'string' && owner !== '' ? { auth: 'required', owner } : undefined),
  },
  // `open: 'reason'`: callers may reach more than they may ask for. On a RACE edge, see `projectUnions`.
  {
    key: 'open',
    kinds: operations,
    detail: 'why callers may reach what is protected elsewhere',
    snippet: "'",
    expected: 'the reason in quotes',
    isMeant: matches(/ /),
    read: ({ value: open }) => (isReason(open) ? { open } : undefined),
  },
];

/** Recognizes a value by its text: numbers and booleans are often written in quotes. */
export function matches(form: RegExp): (value: JsonValue) => boolean {
  return (value) => typeof value !== 'object' && form.test(String(value));
}

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** Whether the value of `open` gives a reason. */
export function isReason(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** A setting that is true or absent. */
function flag(key: 'chain' | 'durable', detail: string): EdgeSetting {
  const isTrue = (value: JsonValue) => value === true;
  const read: EdgeSetting['read'] = ({ value }) => (isTrue(value) ? { [key]: true } : undefined);
  return { key, kinds: calls, detail, snippet: 'true', expected: 'true', isMeant: isTrue, read };
}

/** A literal HTTP status of one class: 2 for 2xx, 4 for 4xx. */
function statusOf(part: 'status' | 'nullStatus', digit: number): Omit<EdgeSetting, 'key' | 'detail'> {
  return {
    kinds: calls,
    snippet: '',
    expected: `an HTTP status from ${digit}00 to ${digit}99`,
    isMeant: matches(/^\d+$/),
    read: ({ value }) =>
      Number.isInteger(value) && Math.floor((value as number) / 100) === digit ? { [part]: value } : undefined,
  };
}

/** A time of a step of a durable chain, as its text. */
function durationOf(part: 'within' | 'pause'): Omit<EdgeSetting, 'key' | 'detail'> {
  const isDuration = (value: JsonValue) => typeof value === 'string' && readDuration(value) !== undefined;
  return {
    kinds: calls,
    snippet: "'",
    expected: "a duration up to 365d in quotes, such as '90s', '12h' or '2d'",
    isMeant: isDuration,
    read: ({ value }) =>
      isDuration(value) && (readDuration(value as string) as number) <= 365 * 86_400_000
        ? { [part]: value }
        : undefined,
  };
}

/** A list of scopes or roles, which are words of a token (GG3071). */
function listOf(
  key: 'scopes' | 'anyScope' | 'roles',
  what: 'scope' | 'role',
): Omit<EdgeSetting, 'detail' | 'expected'> {
  return {
    key,
    kinds: operations,
    snippet: "['",
    isMeant: Array.isArray,
    read: ({ value, span }, { report }) => {
      // A note of the author, of which `checkWords` warns: topologies may have used the word before.
      if (key === 'roles' && typeof value === 'string') return {};
      if (!isTextList(value)) return undefined;
      const names = new Set<string>();
      for (const name of value) {
        const reason = whyInvalidScope(name);
        if (reason === undefined) names.add(name);
        else report(diagnose('GG3071', { what, scope: name, reason }, span));
      }
      return names.size === 0 ? {} : { auth: 'required', [key]: [...names] };
    },
  };
}

function readEtag({ value, span }: Setting, scope: SettingScope): OperationPart | undefined {
  const { arguments: args, kind, operation, report } = scope;
  if (value !== true && (value !== 'required' || kind === 'query')) return undefined;
  const own = kind === 'query' ? /^if-none-match$/i : /^if-(?:none-)?match$/i;
  const taken = args.find(({ header }) => header !== undefined && own.test(header));
  if (taken === undefined) return { etag: value };
  const reason = `“${taken.name}” and the setting etag both read ${taken.header}`;
  report(diagnose('GG2061', { operation, reason }, span));
  return {};
}

function readAuth({ value: auth, span }: Setting, { edges, operation, report }: SettingScope) {
  if (auth !== 'required' && auth !== 'optional') return undefined;
  const demand = demandWords.find((key) => edges.some(({ settings }) => settings.has(key)));
  if (auth === 'optional' && demand !== undefined) {
    const [place] = edges.flatMap(({ settings }) => settings.get(demand) ?? []) as [Setting];
    const labels = [{ span: place.span, message: `“${demand}” is here` }];
    report(diagnose('GG3072', { owner: operation }, span, { labels }));
  }
  return { auth } as const;
}

function readThrows({ value, span }: Setting, { nodes, report }: SettingScope): OperationPart | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const throws = value.map(String).filter((name) => {
    if (nodes.get(name)?.kind === 'problem') return true;
    const problems = [...nodes.values()].filter(({ kind }) => kind === 'problem');
    const suggestion = createSuggester(problems.map(({ typeName }) => typeName)).nearest(name);
    report(diagnose('GG3060', { name, isType: nodes.has(name), suggestion }, span));
    return false;
  });
  return { throws };
}

function readPage({ value, span }: Setting, scope: SettingScope): OperationPart | undefined {
  const { arguments: args, operation, report } = scope;
  const page = readPageSize(String(value));
  // `'20'` is a text.
  if (page === undefined || (typeof value === 'string' && !page.isCounted)) return undefined;
  const taken = args.find(({ name }) => pageArguments.has(name));
  if (taken === undefined) return { page: { ...page, node: '' } };
  const labels = taken.span === undefined ? [] : [{ span: taken.span, message: `“${taken.name}” here` }];
  report(diagnose('GG3063', { operation, argument: taken.name }, span, { labels }));
  return {};
}

/**
 * The parts of an operation that the settings of its edges give; undefined if they have none. Settings that contradict
 * each other are an error.
 */
export function readSettings(edges: readonly GraphEdge[], scope: SettingScope): OperationPart | undefined {
  if (edges.every(({ settings }) => settings.size === 0)) return undefined;
  let part: OperationPart = {};
  for (const setting of edgeSettings) {
    // Settings without a meaning for the kind of operation were reported with the edge.
    if (!setting.kinds.includes(scope.kind)) continue;
    const given = edges.flatMap(({ settings }) => settings.get(setting.key) ?? []);
    if (given.length === 0) continue;
    const { joins, expected } = setting;
    for (const one of joins === undefined ? [agreed(setting.key, given, scope.operation, scope.report)] : given) {
      const read = setting.read(one, scope);
      if (read === undefined) {
        const form = typeof expected === 'string' ? expected : expected(scope.kind);
        scope.report(diagnose('GG2018', { property: setting.key, expected: form }, one.span));
      } else part = joins === undefined ? { ...part, ...read } : joinList(joins, part, read);
    }
  }
  return part;
}

/** Both parts, with the items of both lists, each once. A part without any has no list. */
function joinList(key: 'scopes' | 'throws', part: OperationPart, read: OperationPart): OperationPart {
  const items = new Set([...(part[key] ?? []), ...(read[key] ?? [])]);
  return items.size === 0 ? part : { ...part, ...read, [key]: [...items] };
}

/** The first value; another value on another edge of the operation or the union is an error (GG3037). */
export function agreed(key: string, given: readonly Setting[], operation: string, report: SettingScope['report']) {
  const [first, ...others] = given as [Setting, ...Setting[]];
  const other = others.find(({ value }) => !sameJson(value, first.value));
  if (other !== undefined) {
    const params = { operation, setting: key, one: textOf(first.value), other: textOf(other.value) };
    const labels = [{ span: first.span, message: `${params.one} here` }];
    report(diagnose('GG3037', params, other.span, { labels }));
  }
  return first;
}

/** A value as a topology writes it. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
