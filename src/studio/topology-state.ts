import { setTimeout as pause } from 'node:timers/promises';
import type { Analysis } from '../analyze.js';
import { ProblemError } from '../call/problem.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Drawing } from '../diagram/drawing.js';
import { diffSchemas } from '../diff/diff-schemas.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { type AnsweringModules, findAnswers } from './answered-by.js';
import type { Drawings } from './drawings.js';
import type { StudioState } from './protocol.js';

/** A topology as it was read, with errors or without. */
export interface ShownTopology {
  readonly analysis: Analysis;
  /** All findings: of the topology, its modules and its server. */
  readonly findings: readonly Diagnostic[];
  /** The API that is served from now on; absent if the last one goes on. */
  readonly served?: AnsweringModules & {
    /** The schema of the server: of the topology and the layers. */
    readonly schema: GqlSchema;
  };
}

/** The topology that a studio shows. */
export interface TopologyState {
  /** Changes with each topology that is shown. */
  readonly revision: number;
  /** The findings, and the texts that they refer to. */
  readonly current: Pick<StudioState, 'findings' | 'sources'>;
  show(topology: ShownTopology): void;
  /** Starts to draw the topology, for a page that will ask for its state soon. */
  prepare(): void;
  /** What the page shows. It has the drawing if that does not take long. */
  read(): Promise<StudioState>;
  /** Draws the whole topology that is served, or the neighbourhood of an operation. */
  draw(operation: string | null): Promise<Drawing>;
}

/** How long the state waits for its drawing, in milliseconds. */
const patience = 1_000;

interface Served {
  readonly analysis: Analysis;
  readonly api: NonNullable<StudioState['api']>;
  picture?: Promise<Picture>;
  /** Whether a page waits for the picture. */
  isAwaited?: boolean;
}

type Picture = { readonly drawing: Drawing } | { readonly undrawn: string };

/**
 * Creates the state of a studio.
 *
 * @param onChange - Called when the pages should get the state again.
 */
export function createTopologyState(
  fixed: Pick<StudioState, 'title' | 'endpoint' | 'canWrite'>,
  drawings: Drawings,
  onChange: () => void,
): TopologyState {
  let revision = 0;
  let current: Pick<StudioState, 'changes' | 'findings' | 'sources'> = {
    sources: [],
    findings: [],
    changes: [],
  };
  let served: Served | undefined;
  /** The API that the last page has seen. Nothing is compared while there is no page. */
  let seen: Served | undefined;

  const changesNow = (): StudioState['changes'] => {
    const changes = seen && served && seen !== served ? diffSchemas(seen.api.schema, served.api.schema) : [];
    seen = served;
    if (changes.length > 0) current = { ...current, changes };
    return current.changes;
  };
  const pictureOf = (drawn: Served): Promise<Picture> => {
    drawn.picture ??= drawings.draw(drawn.analysis).then(
      (drawing) => ({ drawing: drawing as Drawing }),
      (error: Error) => ({ undrawn: error.message }),
    );
    return drawn.picture;
  };

  return {
    get revision() {
      return revision;
    },
    get current() {
      return current;
    },
    show({ analysis, findings, served: next }) {
      const sources = analysis.sources.map(({ name, text }) => ({ name, text }));
      current = { ...current, sources, findings };
      if (next !== undefined) {
        const answeredBy = findAnswers(next.schema, next);
        served = { analysis, api: { schema: next.schema, sources, answeredBy } };
        seen ??= served;
        drawings.cancel();
      }
      revision += 1;
      onChange();
    },
    prepare() {
      if (served !== undefined) void pictureOf(served);
    },
    async read() {
      const drawn = served;
      const changes = changesNow();
      const { findings, sources } = current;
      const state = { revision, ...fixed, sources, findings, changes };
      if (drawn === undefined) return state;
      const picture = pictureOf(drawn);
      const inTime = await Promise.race([picture, pause(patience, undefined, { ref: false })]);
      if (inTime === undefined && drawn.isAwaited !== true) {
        drawn.isAwaited = true;
        void picture.then(() => served === drawn && onChange());
      }
      return { ...state, api: { ...drawn.api, ...inTime } };
    },
    async draw(operation) {
      const drawn = served;
      if (drawn === undefined) throw new ProblemError({ status: 404, detail: 'No API is served yet.' });
      try {
        const drawing = await drawings.draw(drawn.analysis, operation ?? undefined);
        if (drawing !== undefined) return drawing;
      } catch (error) {
        if (error instanceof RangeError) throw new ProblemError({ status: 422, detail: error.message });
        if (drawn === served) throw error;
        throw new ProblemError({ status: 409, detail: 'The topology has changed.' });
      }
      throw new ProblemError({ status: 404, detail: `The topology has no operation ${operation}.` });
    },
  };
}
