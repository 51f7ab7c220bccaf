import { useMemo } from 'preact/hooks';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.js';
import { severityWords } from '../../../src/base/diagnostics/render/report.js';
import { type FixRequest, type StudioApi, type StudioState, studioPaths } from '../../../src/tools/studio/protocol.js';
import { Problem } from '../../try/problem.js';
import { type ColouredPart, colourLines } from './colour-lines.js';
import { type Excerpt, excerptsOf, findingsIn, placesOfSubject } from './excerpts.js';
import { usePost } from './post.js';
import type { TabProps } from './subject.js';

/** The text of the selected part, file by file, with its findings. */
export function SourceTab({ state, api, subject }: TabProps) {
  const places = useMemo(() => placesOfSubject(api.schema, subject), [api, subject]);
  const excerpts = useMemo(() => excerptsOf(api.sources, places), [api, places]);
  if (excerpts.length === 0) return <p class="quiet">It comes from a layer, not from the text of the topology.</p>;
  return (
    <>
      {excerpts.map((excerpt) => (
        <ExcerptView key={`${excerpt.file}:${excerpt.first}`} excerpt={excerpt} state={state} api={api} />
      ))}
      {[...new Set(excerpts.map(({ file }) => file))]
        .filter((file) => textOf(state.sources, file) !== textOf(api.sources, file))
        .map((file) => (
          <CurrentFindings key={file} file={file} state={state} />
        ))}
    </>
  );
}

interface ExcerptProps {
  readonly excerpt: Excerpt;
  readonly state: StudioState;
  readonly api: StudioApi;
}

function ExcerptView({ excerpt, state, api }: ExcerptProps) {
  const { file, first, last } = excerpt;
  const text = textOf(api.sources, file);
  const current = textOf(state.sources, file);
  const lines = useMemo(() => colourLines(text), [text]);
  const isCurrent = current === text;
  // The places of findings are in the current text.
  const findings = isCurrent ? findingsIn(excerpt, text, state.findings) : new Map<number, number[]>();
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <section class="excerpt" aria-label={`${file}, lines ${first} to ${last}`}>
      <h3>
        <bdi>{file}</bdi>
        <span class="quiet">:{first === last ? first : `${first}–${last}`}</span>
      </h3>
      {isCurrent ? null : (
        <p class="quiet">The file has changed since; this is the text of the API that the graph shows.</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the text. */}
      <div class="lines" tabIndex={0} role="region" aria-label={`Text of ${file} from line ${first}`}>
        {numbers.map((number) => (
          <Line key={number} number={number} parts={lines[number - 1]} findings={findings.get(number)} state={state} />
        ))}
      </div>
    </section>
  );
}

/** The findings of a file that differs from the one that is served. */
function CurrentFindings({ file, state }: { readonly file: string; readonly state: StudioState }) {
  const text = textOf(state.sources, file);
  const lines = useMemo(() => colourLines(text), [text]);
  const own = excerptsOf(
    state.sources,
    state.findings.map(({ span }) => ({ ...span, end: span.start })).filter((span) => span.file === file),
  );
  if (own.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the text.
    <div class="lines" tabIndex={0} role="region" aria-label={`Findings in ${file}`}>
      {own.flatMap((excerpt) =>
        [...findingsIn(excerpt, text, state.findings)].map(([number, findings]) => (
          <Line key={number} number={number} parts={lines[number - 1]} findings={findings} state={state} />
        )),
      )}
    </div>
  );
}

interface LineProps {
  readonly number: number;
  readonly parts: readonly ColouredPart[] | undefined;
  readonly findings: readonly number[] | undefined;
  readonly state: StudioState;
}

/** A line in its colours, with the findings in it. */
function Line({ number, parts = [], findings = [], state }: LineProps) {
  return (
    <div>
      <div class="line">
        <span class="number" aria-hidden="true">
          {number}
        </span>
        <code>
          {parts.map(({ kind, text }, at) => (
            <span key={at} class={kind === undefined ? undefined : `gg-${kind}`}>
              {text}
            </span>
          ))}
        </code>
      </div>
      {findings.map((index) => (
        <Finding key={index} state={state} index={index} />
      ))}
    </div>
  );
}

/** A finding with its hint, and a button that applies its fix. */
export function Finding({ state, index }: { readonly state: StudioState; readonly index: number }) {
  const { severity, code, message, hint, fix } = state.findings[index] as Diagnostic;
  const { status, problem, isBusy, send } = usePost(studioPaths.fix);
  const request: FixRequest = { revision: state.revision, finding: index };
  return (
    <div class={`finding ${severity}`}>
      <p>
        <strong>
          {severityWords[severity]} {code}
        </strong>{' '}
        {message} <span class="quiet">gg-svc explain {code}</span>
      </p>
      {hint === undefined ? null : <p class="quiet">{hint}</p>}
      {fix === undefined || !state.canWrite ? null : (
        <button type="button" class="small" disabled={isBusy} onClick={() => void send(request)}>
          {fix.description}
        </button>
      )}
      <Problem text={status === 409 ? 'The file has changed since. Look at the finding again.' : problem} />
    </div>
  );
}

function textOf(sources: StudioState['sources'], file: string): string {
  return sources.find(({ name }) => name === file)?.text ?? '';
}
