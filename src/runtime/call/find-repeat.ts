import { type DocumentNode, isNonNullType, print } from 'graphql';
import { remember } from '../../compiler/graph/maps.js';
import { refusedOperation } from '../auth/refused-operation.js';
import { identify } from '../repeats/caller-identity.js';
import { keyRequired, RepeatRefused, readKey, refused } from '../repeats/repeat-refused.js';
import type { Repeats } from '../repeats/repeats.js';
import { type Call, type CallSite, type CallSource, refusedBy } from './call.js';
import { readOutcome, writeOutcome } from './kept-outcome.js';
import { publishLeft } from './publish-events.js';
import { rootCallsOf } from './root-calls.js';

/**
 * Finds the first run of a mutation by its key (draft-ietf-httpapi-idempotency-key-header-07). Returns the outcome of a
 * repeat, and sends the events that are missing; undefined for the first run, which then runs even if its caller leaves.
 */
export async function findFirstRun(call: Call, source: CallSource, repeats: Repeats, site: CallSite) {
  try {
    const key = readGivenKey(call, source);
    if (key === undefined) {
      const required = call.reach?.called.find((name) => site.needsKey(name));
      if (required !== undefined) throw keyRequired(required);
      return undefined;
    }
    const { client } = call.args;
    // A caller has no share in what runs keep for a while.
    const caller = { ...identify(source), ...(source.isRun && { account: key }) };
    const found = await repeats.find({ ...caller, key, fingerprint: fingerprintOf(call), client });
    if (found.kind === 'first') {
      call.firstRun = found.run;
      return undefined;
    }
    source.isReplayed = true;
    if (found.kind === 'answered') {
      const { outcome, receipt } = readOutcome(found.outcome);
      call.receipt = receipt;
      return outcome;
    }
    const { run, events } = found;
    const outcome = found.outcome === undefined ? { data: null } : readOutcome(found.outcome).outcome;
    const origin = originOf(call, site);
    const left = events.map((event) => ({ ...event, ...origin }));
    const settled = await publishLeft(outcome, left, run, call, site);
    if (call.hasUnpublished) {
      await run.release();
      return settled;
    }
    await run.answered(found.outcome && writeOutcome(outcome, call.receipt));
    if (found.outcome === undefined) throw refused('IDEMPOTENCY_ANSWER_TOO_LONG');
    return settled;
  } catch (error) {
    if (!(error instanceof RepeatRefused)) throw error;
    const { detail, code, status, headers } = error;
    return refusedBy(refusedOperation(detail, { code }, status, headers));
  }
}

/** The key of a call. Further mutations of the same request have their number behind it. */
function readGivenKey({ args }: Call, source: CallSource): string | undefined {
  const given = args.key ?? source.header('idempotency-key');
  if (given === undefined) return undefined;
  const key = readKey(given);
  if (args.key !== undefined) return `${key} ${args.step ?? ''}`;
  source.keyed += 1;
  return source.keyed === 1 ? key : `${key} ${source.keyed}`;
}

const texts = new WeakMap<DocumentNode, string>();

/** The identity of a call: the same operation with the same variables. */
function fingerprintOf({ args: { document, operationName, variableValues } }: Call): string {
  const text = remember(texts, document, () => print(document));
  return JSON.stringify([text, operationName ?? null, variableValues ?? {}]);
}

/** The first root field of the call, at which an event fails that cannot be sent again. */
function originOf(call: Call, { execution: { schema } }: CallSite) {
  const [root] = rootCallsOf(call, schema);
  const field = root && schema.getMutationType()?.getFields()[root.name];
  return {
    key: root?.key ?? '',
    nodes: root && [root.node],
    isRequired: field !== undefined && isNonNullType(field.type),
  };
}
