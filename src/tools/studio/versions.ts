import { diffSchemas } from '../../analysis/diff/diff-schemas.js';
import type { Analysis } from '../../compiler/analyze.js';
import { remember } from '../../compiler/graph/maps.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { ProblemError } from '../../runtime/call/problem.js';
import { LruMap } from '../../runtime/limits/lru-map.js';
import type { Call, ReplayedCall, ReplayRequest, Version, VersionList } from './protocol.js';
import { type ReplayServer, replayCalls } from './replay-calls.js';

/** The commits of the topology, and servers of its versions. */
export interface VersionSource {
  /** The last commits that changed files, the newest first. Rejects if git cannot be read. */
  commits(files: readonly string[]): Promise<readonly Commit[]>;
  /** Reads the topology at a commit. */
  read(commit: string): Promise<Analysis>;
  /**
   * Serves a version with the resolvers of now that fit it, and with example rows in place of a database. Nothing listens
   * to it.
   *
   * @throws {ProblemError} If it cannot be served.
   */
  serve(analysis: Analysis): Promise<ReplayServer>;
}

export interface Commit {
  readonly commit: string;
  readonly at: number;
  readonly title: string;
}

interface Save {
  readonly id: string;
  readonly at: number;
  readonly size: number;
  analysis: Analysis;
}

/** The limits of the saves that are kept: their number, and the characters of their texts together. */
const most = { saves: 20, size: 1024 * 1024 };

/** The number of commits that are kept compiled. */
const keptCommits = 8;

/** The saves of a command since its start, and the commits before them. */
export class Versions {
  #saves: readonly Save[] = [];
  #count = 0;
  readonly #commits = new LruMap<string, Promise<Analysis>>(keptCommits);

  constructor(private readonly source: VersionSource | undefined) {}

  /** Adds the topology that is served from now on. One with the same texts is no new version. */
  add(analysis: Analysis): void {
    const last = this.#saves.at(-1);
    if (last !== undefined && hasSameTexts(last.analysis, analysis)) {
      last.analysis = analysis;
      return;
    }
    this.#count += 1;
    const size = analysis.sources.reduce((sum, { text }) => sum + text.length, 0);
    const saves = [...this.#saves, { id: `save-${this.#count}`, at: Date.now(), size, analysis }];
    let room = most.size;
    const first = saves.findLastIndex((save, at) => {
      room -= save.size;
      return at < saves.length - 1 && (room < 0 || at < saves.length - most.saves);
    });
    this.#saves = saves.slice(first + 1);
  }

  async list(): Promise<VersionList> {
    const saves = this.#saves.map(({ id, at }) => ({ id, kind: 'save' as const, at }));
    try {
      const files = this.#saves.at(-1)?.analysis.sources.map(({ name }) => name) ?? [];
      const commits = (await this.source?.commits(files)) ?? [];
      const found = commits.map(({ commit, at, title }) => ({
        id: commit,
        kind: 'commit' as const,
        at,
        title,
      }));
      return { versions: [...found.reverse(), ...saves] };
    } catch (error) {
      return { versions: saves, problem: (error as Error).message };
    }
  }

  async open(id: string): Promise<Version> {
    const analysis = await this.read(id);
    const { schema, sources } = analysis;
    const shown = sources.map(({ name, text }) => ({ name, text }));
    return { id, schema, sources: shown, changes: diffSchemas(schema, this.#now().schema) };
  }

  /** The topology of a version, which has no errors. */
  async read(id: string): Promise<Analysis> {
    const save = this.#saves.find((one) => one.id === id);
    if (save !== undefined) return save.analysis;
    const { source } = this;
    if (source === undefined || !/^[\da-f]{40,64}$/.test(id))
      throw new ProblemError({ status: 404, detail: 'This version is not kept any more.' });
    const reading = remember(this.#commits, id, () => source.read(id));
    reading.catch(() => this.#commits.delete(id));
    const analysis = await reading;
    const error = analysis.diagnostics.find(({ severity }) => severity === 'error');
    if (error === undefined) return analysis;
    throw new ProblemError({ status: 422, detail: `This version has errors: ${error.message}` });
  }

  /** Sends calls to a server of a version and to one of now. */
  async replay(
    { version = '', hasMutations = false, headers = {} }: Partial<ReplayRequest>,
    calls: readonly Call[],
    served: { readonly endpoint: string; readonly schema: GqlSchema },
  ): Promise<readonly ReplayedCall[]> {
    const { source } = this;
    if (source === undefined) throw new ProblemError({ status: 403, detail: 'The server watches no files.' });
    const analyses = [await this.read(version), this.#now()];
    const servers: ReplayServer[] = [];
    try {
      for (const analysis of analyses) servers.push(await source.serve(analysis));
      const [then, now] = servers as [ReplayServer, ReplayServer];
      return await replayCalls(calls, { version: then, now }, { hasMutations, headers, ...served });
    } finally {
      await Promise.all(servers.map((server) => server.close?.()));
    }
  }

  #now(): Analysis {
    const last = this.#saves.at(-1);
    if (last === undefined) throw new ProblemError({ status: 404, detail: 'No API is served yet.' });
    return last.analysis;
  }
}

function hasSameTexts({ sources: some }: Analysis, { sources: others }: Analysis): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, text }, at) => name === others[at]?.name && text === others[at]?.text)
  );
}
