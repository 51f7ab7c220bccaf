import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** One instruction: `{ name: 'RUN', text: 'npm ci' }`. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** One stage of a Dockerfile, with its instructions after FROM. */
export interface Stage {
  readonly image: string;
  readonly as: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Reads a Dockerfile: lines that end with a backslash go on, and lines that begin with # are comments. */
export function parseDockerfile(text: string): readonly Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`This is no instruction: ${line}`);
    const from = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest);
    if (name === 'FROM') stages.push({ image: from?.[1] ?? '', as: from?.[2], instructions: [] });
    else if (stages.length === 0) throw new Error(`${name} stands before FROM.`);
    else stages.at(-1)?.instructions.push({ name, text: rest.trim() });
  }
  return stages;
}

/** The words of an instruction in exec form, `["node", "a.js"]`; undefined in shell form. */
export function execForm(text: string): readonly string[] | undefined {
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : undefined;
}

/** The command of HEALTHCHECK, without its options. */
export function healthCommand(text: string): string {
  return text.slice(text.indexOf('CMD ') + 'CMD '.length).trim();
}

/** What an image has to say to those who run it. */
export interface Image {
  /** The folder that stands for the root of its file system. */
  readonly root: string;
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly command: readonly string[];
  readonly health: readonly string[];
}

/**
 * Builds an image as Docker does, with one difference: a stage is a folder, so that a command finds the programs of this
 * machine, of which `path` has those that the base image has.
 *
 * @param context - The folder that is built.
 * @param scratch - An empty folder for the stages.
 * @param prepare - Called with the folder of each stage before its first instruction.
 */
export function buildImage(
  stages: readonly Stage[],
  context: string,
  scratch: string,
  path: string,
  prepare: (root: string) => void,
): Image {
  const roots = new Map<string, string>();
  const ignored = readIgnored(context);
  const images = stages.map((stage, index) => {
    const root = join(scratch, `stage-${index}`);
    mkdirSync(root);
    prepare(root);
    if (stage.as !== undefined) roots.set(stage.as, root);
    const env: Record<string, string> = { PATH: path };
    const image = { root, directory: root, env, user: undefined as string | undefined };
    let command: readonly string[] = [];
    let health: readonly string[] = [];
    for (const { name, text } of stage.instructions) {
      if (name === 'WORKDIR') {
        image.directory = join(root, text);
        mkdirSync(image.directory, { recursive: true });
      } else if (name === 'ENV') {
        for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) env[key] = value;
      } else if (name === 'COPY') {
        copy(text, context, ignored, image.directory, roots);
      } else if (name === 'RUN') {
        const { status, stderr, stdout } = spawnSync('/bin/sh', ['-c', text], {
          cwd: image.directory,
          env,
          encoding: 'utf8',
        });
        if (status !== 0) throw new Error(`RUN ${text} failed:\n${stdout}${stderr}`);
      } else if (name === 'USER') image.user = text;
      else if (name === 'CMD') command = execForm(text) ?? ['/bin/sh', '-c', text];
      else if (name === 'HEALTHCHECK') {
        const check = healthCommand(text);
        health = execForm(check) ?? ['/bin/sh', '-c', check];
      } else if (!['EXPOSE', 'STOPSIGNAL'].includes(name)) throw new Error(`${name} is not supported.`);
    }
    return { ...image, command, health };
  });
  const last = images.at(-1);
  if (last === undefined) throw new Error('There is no stage.');
  return last;
}

function copy(
  text: string,
  context: string,
  isIgnored: (path: string) => boolean,
  directory: string,
  roots: ReadonlyMap<string, string>,
): void {
  const [, from, words = ''] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(text) ?? [];
  const names = words.split(/\s+/);
  const target = names.pop() ?? '';
  const source = from === undefined ? context : (roots.get(from) ?? '');
  if (source === '') throw new Error(`There is no stage ${from}.`);
  for (const name of names) {
    const path = join(source, name);
    // A folder gives its content, a file keeps its name where the target is a folder.
    const isFolder = statSync(path).isDirectory();
    const place = isFolder || !target.endsWith('/') ? target : join(target, posix.basename(name));
    const to = join(directory, place);
    mkdirSync(dirname(to), { recursive: true });
    const filter = (file: string) => from !== undefined || !isIgnored(file.slice(context.length + 1));
    cpSync(path, to, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** The patterns of `.dockerignore`: from the root of the context, `*` within a name, and `**` for any folders. */
function readIgnored(context: string): (path: string) => boolean {
  const file = readdirSync(context).includes('.dockerignore') ? join(context, '.dockerignore') : undefined;
  const lines = file === undefined ? [] : readFileSync(file, 'utf8').split('\n');
  const patterns = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const escaped = line.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
      const source = escaped.replaceAll('**/', '\0').replaceAll('*', '[^/]*').replaceAll('\0', '(?:.*/)?');
      return new RegExp(`^${source}(?:/|$)`);
    });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
