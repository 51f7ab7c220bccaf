import { useEffect, useState } from 'preact/hooks';
import {
  type AnswerDifference,
  type ReplayedCall,
  type ReplayRequest,
  studioPaths,
  type Version,
} from '../../src/tools/studio/protocol.js';
import { credentials } from '../try/call-state.js';
import { credentialHeaders } from '../try/credentials.js';
import { Problem } from '../try/problem.js';
import { ChangeList } from './changes.js';
import { PartLink } from './panels/part-link.js';
import { usePost } from './panels/post.js';
import { state } from './store.js';
import {
  chosen,
  chosenVersion,
  loadVersions,
  replayed,
  shortText,
  shownVersion,
  versionProblem,
  versions,
  versionText,
} from './versions.js';

/** The text of the button of the view. */
export function timeTitle(): string {
  const version = chosen.value === undefined ? undefined : chosenVersion();
  return version === undefined ? 'Time travel' : `Time travel: ${shortText(version)}`;
}

/** A slider over the versions of the topology; the chosen one is compared with that of now. */
export function TimeTravel() {
  useEffect(() => void loadVersions(), [state.value?.revision]);
  const list = versions.value;
  const current = chosenVersion();
  if (list === undefined || current === undefined) return <p class="quiet">Loading …</p>;
  const all = list.versions;
  const version = shownVersion.value;
  return (
    <>
      <p class="time">
        <input
          type="range"
          aria-label="Version"
          aria-valuetext={versionText(current)}
          list="versions"
          max={all.length - 1}
          value={all.indexOf(current)}
          onInput={({ currentTarget }) => {
            const next = Number(currentTarget.value);
            chosen.value = next === all.length - 1 ? undefined : all[next]?.id;
          }}
        />
        <datalist id="versions">
          {all.map(({ id }, at) => (
            <option key={id} value={at} />
          ))}
        </datalist>
        <bdi>{versionText(current)}</bdi>
      </p>
      {list.problem === undefined ? null : <p class="quiet">Without commits: {list.problem}</p>}
      <Problem text={versionProblem.value} />
      {version !== undefined ? (
        <Comparison key={version.id} version={version} />
      ) : chosen.value === undefined ? (
        <p class="quiet">
          {all.length === 1
            ? 'There is no earlier version: save a file of the topology.'
            : 'Move the slider to an earlier save or commit.'}
        </p>
      ) : null}
    </>
  );
}

/** The changes since a version, and recorded calls against it. */
function Comparison({ version }: { readonly version: Version }) {
  const [hasMutations, setMutations] = useState(false);
  const { problem, isBusy, send } = usePost<readonly ReplayedCall[]>(studioPaths.replay);
  const replay = async () => {
    const given = credentialHeaders(version.schema, credentials.value);
    const headers = Object.fromEntries(given.map(({ name, value }) => [name, value]));
    const body: ReplayRequest = { version: version.id, hasMutations, headers };
    const { value } = await send(body);
    if (shownVersion.value === version) replayed.value = value;
  };
  const calls = replayed.value;
  return (
    <>
      <p>
        <button type="button" class="small" disabled={isBusy} onClick={() => void replay()}>
          Replay calls
        </button>{' '}
        <label>
          <input
            type="checkbox"
            checked={hasMutations}
            onChange={({ currentTarget }) => setMutations(currentTarget.checked)}
          />{' '}
          also mutations: they run twice, in your resolvers
        </label>{' '}
        <strong role="status">{isBusy ? 'Replaying …' : calls && summaryOf(calls)}</strong>
      </p>
      <Problem text={problem} />
      {calls === undefined || calls.length === 0 ? null : (
        <ul class="changes" aria-label="Replayed calls">
          {outcomes.flatMap((outcome) =>
            calls.filter((call) => call.outcome === outcome).map((call) => <Replayed key={call.id} call={call} />),
          )}
        </ul>
      )}
      {version.changes.length === 0 ? (
        <p>The API of now is the same.</p>
      ) : (
        <ChangeList schema={version.schema} changes={version.changes} absent="added" />
      )}
    </>
  );
}

/** The worst first, and the level of each. */
const levels = {
  fails: 'breaking',
  differs: 'dangerous',
  equal: 'safe',
  'not found': 'reached',
  'left out': 'reached',
} as const;
const outcomes = Object.keys(levels) as readonly ReplayedCall['outcome'][];

function summaryOf(calls: readonly ReplayedCall[]): string {
  if (calls.length === 0) return 'No call was recorded since a studio was open.';
  const words = {
    fails: 'failed',
    differs: 'different',
    equal: 'equal',
    'not found': 'not found by both',
    'left out': 'left out',
  };
  return outcomes
    .map((outcome) => [calls.filter((call) => call.outcome === outcome).length, words[outcome]] as const)
    .filter(([count]) => count > 0)
    .map((part) => part.join(' '))
    .join(', ');
}

function Replayed({ call }: { readonly call: ReplayedCall }) {
  const { coordinate, outcome, reason, statuses, differences } = call;
  return (
    <li class={levels[outcome]}>
      <p>
        <strong>{outcome}</strong> <PartLink part={coordinate} /> <bdi class="quiet">{call.arguments}</bdi>{' '}
        {statuses === undefined
          ? reason
          : statuses.version === statuses.now
            ? statuses.now
            : `${statuses.version}, now ${statuses.now}`}
        {statuses === undefined || reason === undefined ? '' : `: ${reason}`}
      </p>
      {differences.map((one) => (
        <p key={one.pointer}>
          <code>{one.pointer || '/'}</code> {valueText(one, 'version')}, now {valueText(one, 'now')}
        </p>
      ))}
    </li>
  );
}

function valueText(difference: AnswerDifference, side: 'version' | 'now'): string {
  const text = JSON.stringify(difference[side]);
  return text === undefined ? 'absent' : text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
