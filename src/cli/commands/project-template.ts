import { readFileSync } from 'node:fs';

/** The values that are filled into the files of a new project. */
export interface ProjectSettings {
  /** A valid npm package name. */
  readonly name: string;
  /** Package names and version ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** One file of a new project. */
export interface ProjectFile {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/** The file that `gg-svc types` generates. */
export const typesFileName = 'service.types.ts';

/** The files of a container image. */
export const dockerFiles: readonly (readonly [name: string, about: string])[] = [
  ['Dockerfile', 'the container image'],
  ['.dockerignore', 'files that stay out of the image'],
];

/** All files of a new project except the types, in the order in which they are listed. */
export function projectFiles(settings: ProjectSettings, packageRoot: URL): readonly ProjectFile[] {
  const { name, dependencies, devDependencies } = settings;
  const scripts = {
    dev: 'gg-svc dev',
    build: 'gg-svc build',
    check: 'gg-svc fmt --check && gg-svc check && gg-svc types && tsc',
  };
  const manifest = { name, private: true, type: 'module', scripts, dependencies, devDependencies };
  return [
    readTemplate('service.gg', 'the topology, which defines the API', packageRoot),
    readTemplate('service.resolvers.mjs', 'the resolvers, loaded automatically', packageRoot),
    readTemplate(
      'gg-svc.config.mjs',
      'the project file: sources, outputs, settings of the server',
      packageRoot,
    ),
    {
      name: 'package.json',
      about: 'dependencies and scripts',
      text: `${JSON.stringify(manifest, null, 2)}\n`,
    },
    readTemplate('tsconfig.json', 'type-checks the resolvers', packageRoot),
    { name: '.gitignore', about: 'ignores generated files', text: 'node_modules/\nout/\n' },
  ];
}

/** A file of the project in the documentation. */
export function readTemplate(name: string, about: string, packageRoot: URL): ProjectFile {
  return { name, about, text: readFileSync(new URL(`docs/examples/project/${name}`, packageRoot), 'utf8') };
}
