import { setTimeout as pause } from 'node:timers/promises';
import type { Drawing } from '../../analysis/diagram/drawing.js';
import { diffSchemas } from '../../analysis/diff/diff-schemas.js';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import { defined } from '../../base/values/defined.js';
import type { Analysis } from '../../compiler/analyze.js';
import { withDefaults } from '../../compiler/compile.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { type AnsweringModules, findAnswers } from './answered-by.js';
import type { Drawings } from './drawings.js';
import type { StudioState } from './protocol.js';

/** A topology as it was read, with errors or without. */
export interface ShownTopology {
  readonly analysis: Analysis;
  /** All findings: of the topology, its modules and its server. */
  readonly findings: readonly Diagnostic[];
  /** The API that is served from now on; absent if the last one is still served. */
  readonly served?: AnsweringModules & {
    /** The schema of the server: of the topology and the layers. */
    readonly schema: GqlSchema;
  };
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

export class TopologyState {
  revision = 0;
  current: Pick<StudioState, 'changes' | 'findings' | 'sources'> = { sources: [], findings: [], changes: [] };
  #served: Served | undefined;
  /** The API that the last page has seen. Without a page, nothing is compared. */
  #seen: Served | undefined;

  /** @param onChange - Called when the pages should get the state again. */
  constructor(
    private readonly fixed: Pick<StudioState, 'title' | 'endpoint' | 'canWrite'>,
    /** The title that the command gives to the API; undefined for its own. */
    private readonly givenTitle: string | undefined,
    private readonly drawings: Drawings,
    private readonly onChange: () => void,
  ) {}

  show({ analysis, findings, served }: ShownTopology): void {
    const sources = analysis.sources.map(({ name, text }) => ({ name, text }));
    this.current = { ...this.current, sources, findings };
    if (served !== undefined) {
      const { schema } = served;
      const { title } = withDefaults(defined({ title: this.givenTitle, info: schema.info }));
      this.#served = { analysis, api: { title, schema, sources, answeredBy: findAnswers(schema, served) } };
      this.#seen ??= this.#served;
      this.drawings.cancel();
    }
    this.revision += 1;
    this.onChange();
  }

  /** Starts to draw the topology, for a page that will ask for its state soon. */
  prepare(): void {
    if (this.#served !== undefined) void this.#pictureOf(this.#served);
  }

  /** The state that the page shows, with the drawing if that does not take long. */
  async read(): Promise<StudioState> {
    const drawn = this.#served;
    const changes =
      this.#seen && drawn && this.#seen !== drawn ? diffSchemas(this.#seen.api.schema, drawn.api.schema) : [];
    this.#seen = drawn;
    if (changes.length > 0) this.current = { ...this.current, changes };
    const state = { revision: this.revision, ...this.fixed, ...this.current };
    if (drawn === undefined) return state;
    const picture = this.#pictureOf(drawn);
    const inTime = await Promise.race([picture, pause(patience, undefined, { ref: false })]);
    if (inTime === undefined && drawn.isAwaited !== true) {
      drawn.isAwaited = true;
      void picture.then(() => this.#served === drawn && this.onChange());
    }
    return { ...state, api: { ...drawn.api, ...inTime } };
  }

  /** Draws the topology that is served, or a version, or what is around an operation, with some groups opened. */
  async draw(operation: string | null, opened: readonly string[], version?: Analysis): Promise<Drawing> {
    const drawn = this.#served;
    if (drawn === undefined) throw new ProblemError({ status: 404, detail: 'No API is served yet.' });
    try {
      const analysis = version ?? drawn.analysis;
      const drawing = await this.drawings.draw(analysis, operation ?? undefined, opened);
      if (drawing !== undefined) return drawing;
    } catch (error) {
      if (error instanceof RangeError) throw new ProblemError({ status: 422, detail: error.message });
      if (drawn === this.#served) throw error;
      throw new ProblemError({ status: 409, detail: 'The topology has changed.' });
    }
    throw new ProblemError({ status: 404, detail: `The topology has no operation ${operation}.` });
  }

  #pictureOf(drawn: Served): Promise<Picture> {
    drawn.picture ??= this.drawings.draw(drawn.analysis).then(
      (drawing) => ({ drawing: drawing as Drawing }),
      (error: Error) => ({ undrawn: error.message }),
    );
    return drawn.picture;
  }
}
