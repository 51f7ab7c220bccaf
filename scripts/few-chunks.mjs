import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Builds like esbuild, with fewer chunks. esbuild makes a chunk of the modules that exactly the same entries reach, so a
 * program with fifty lazy imports gets more than a hundred files, most of them smaller than 2 kB, and Node.js takes
 * longer to find and link them than to run them. Here an entry that reaches the door of a room reaches all of the room;
 * the parts that other entries reach are one chunk.
 *
 * @param start - The module that makes the lazy imports: what it reaches is loaded before them and not part of the room.
 * @param roots - The room is everything that they reach.
 * @param guest - An entry that reaches the door and needs little of the room: what it reaches is a chunk of its own.
 */
export async function buildWithFewChunks(options, { start, door, roots, guest }) {
  const { metafile } = await build({ ...options, write: false });
  const reach = (...files) => {
    const reached = new Set(files);
    // A set grows while it is walked.
    for (const file of reached) {
      for (const { path, kind, external } of metafile.inputs[file].imports) {
        if (kind !== 'dynamic-import' && external !== true) reached.add(path);
      }
    }
    return reached;
  };
  const first = reach(start);
  const room = [...reach(...roots)].filter((file) => file.startsWith('src/') && !first.has(file));
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint: entry = '' }) => {
    if (!entry.startsWith('src/') || entry === start || entry === guest) return [];
    const files = reach(entry);
    return [{ entry, files, isInside: files.has(door) || roots.includes(entry) }];
  });
  const outside = entries.filter(({ isInside }) => !isInside);
  const shared = room.filter((file) => outside.some(({ files }) => files.has(file)));
  const additions = entries.flatMap(({ entry, files, isInside }) => {
    if (isInside) return [[entry, room]];
    return shared.some((file) => files.has(file)) ? [[entry, shared]] : [];
  });
  return build({ ...options, plugins: [...options.plugins, withImports(new Map(additions), options)] });
}

/** Lets modules import further ones. They run no code when imported, so esbuild notes only that they belong together. */
function withImports(additions, { absWorkingDir: root }) {
  return {
    name: 'with-imports',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const files = additions.get(path.slice(root.length).replaceAll('\\', '/'));
        if (files === undefined) return undefined;
        const imports = files.map((file) => `\nimport ${JSON.stringify(join(root, file))};`);
        return { contents: readFileSync(path, 'utf8') + imports.join(''), loader: 'ts' };
      });
    },
  };
}
