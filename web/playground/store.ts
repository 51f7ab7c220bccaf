import { batch, computed, effect, signal } from '@preact/signals';
import type { Diagnostic } from 'vscode-languageserver';
import type { CompileAnswer, CompileRequest, PlaygroundFile, Results } from './protocol.js';
import { readFragment, type SharedState, writeFragment } from './shared-state.js';

/** The files. The first one is the topology; the others count if it imports them. */
export const files = signal<readonly PlaygroundFile[]>([]);

/** The name of the file in the editor; `resolversName` for the resolvers. */
export const active = signal('');

/** The module of resolvers; undefined without one. */
export const resolvers = signal<string | undefined>(undefined);

/** The name of the tab of the resolvers. */
export const resolversName = 'resolvers.mjs';

/** Whether the resolvers may run. Those of a link wait until the user agrees: anyone may have made the link. */
export const trustsResolvers = signal(true);

/** The open tab of results. */
export const tab = signal('graph');

/** A finding of the language server, with its fixes. */
export interface Finding extends Diagnostic {
  readonly fixes: readonly { readonly title: string; readonly apply: () => void }[];
}

/** The findings, by the name of the file. */
export const findings = signal<ReadonlyMap<string, readonly Finding[]>>(new Map());

/** The results of the last topology without errors. */
export const results = signal<Results | undefined>(undefined);

/** Whether the files have errors, so that `results` belongs to an earlier topology. */
export const isStale = signal(false);

/** A message about the link or the page; undefined without one. */
export const notice = signal<string | undefined>(undefined);

/** The examples to load. */
export const examples = signal<readonly (SharedState & { readonly title: string })[]>([]);

/** The number of findings of all files. */
export const findingCount = computed(() => [...findings.value.values()].flat().length);

/**
 * Starts a worker that compiles. The editor and the results have one each, so that completions do not wait for the
 * layout of a large graph.
 */
export function startCompiler(): Worker {
  return new Worker(new URL('compiler.js', import.meta.url), { type: 'module' });
}

const compiler = startCompiler();

/** Called with each set of files that replaces the current one as a whole. */
export const onReplace = new Set<() => void>();

/** Replaces all files. */
export function replaceAll(state: SharedState, trusted: boolean): void {
  batch(() => {
    files.value = state.files;
    active.value = state.files[0]?.name ?? '';
    resolvers.value = state.resolvers;
    trustsResolvers.value = trusted || state.resolvers === undefined;
    findings.value = new Map();
    if (state.tab !== undefined) tab.value = state.tab;
  });
  for (const listener of onReplace) listener();
}

/** Changes the text of a file. */
export function setText(name: string, text: string): void {
  if (name === resolversName) resolvers.value = text;
  else files.value = files.value.map((file) => (file.name === name ? { name, text } : file));
}

/** The state that a link carries. */
export function currentState(): SharedState {
  return {
    files: files.value,
    ...(resolvers.value === undefined ? {} : { resolvers: resolvers.value }),
    tab: tab.value,
  };
}

/** Opens the state of the address, or the first example, and keeps results and address current. */
export async function openPlayground(): Promise<void> {
  const response = await fetch(new URL('examples.json', import.meta.url));
  examples.value = await response.json();
  await openFragment();
  addEventListener('hashchange', () => {
    if (location.hash !== written) void openFragment();
  });
  effect(() => {
    const state = currentState();
    clearTimeout(timer);
    // A link that was not understood stays in the address until something changes.
    if (notice.peek() === undefined || state.files !== examples.peek()[0]?.files)
      timer = setTimeout(() => void shareAddress(state), debounce);
  });
  compiler.addEventListener('message', ({ data }: MessageEvent<CompileAnswer>) => {
    isCompiling = false;
    batch(() => {
      isStale.value = data.results === undefined;
      if (data.results !== undefined) results.value = data.results;
    });
    if (isOutdated) compileFiles();
  });
  effect(() => {
    void files.value;
    compileFiles();
  });
}

/** The fragment that this page has written itself. */
let written: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const debounce = 200;

async function openFragment(): Promise<void> {
  const name = /^#example=(\w+)$/.exec(location.hash)?.[1];
  const named = examples.value.find(({ title }) => title === name);
  if (named !== undefined) return replaceAll(named, true);
  const state = await readFragment(location.hash);
  const isState = state !== undefined && !('problem' in state);
  notice.value = state !== undefined && 'problem' in state ? state.problem : undefined;
  const [example] = examples.value;
  if (isState) replaceAll(state, false);
  else if (example !== undefined && files.value.length === 0) replaceAll(example, true);
}

/** Keeps the state in the address, and gives the address. */
export async function shareAddress(state: SharedState): Promise<string> {
  const fragment = await writeFragment(state);
  if (fragment.length > maxFragment) {
    notice.value = 'The files are too large for a link.';
    return location.href;
  }
  written = fragment;
  if (fragment !== location.hash) history.replaceState(null, '', fragment);
  return location.href;
}

/** Browsers refuse addresses of 2 MiB and more. */
const maxFragment = 2_000_000;

let isCompiling = false;
let isOutdated = false;

/** Compiles the current files; while a compilation runs, later ones wait and only the last is made. */
function compileFiles(): void {
  isOutdated = isCompiling;
  if (isCompiling || files.value.length === 0) return;
  isCompiling = true;
  compiler.postMessage({ kind: 'compile', files: files.value } satisfies CompileRequest);
}
