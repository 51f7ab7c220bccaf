// Writes down the public API: the names of each entry and their declarations, from the types in `dist/`. The package
// check compares them with test/api-report.md; `npm run api:update` writes that file.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = join(root, 'test/api-report.md');
const printer = ts.createPrinter({ removeComments: true });

/** Returns whether the API of a package is the one in the report. */
export function checkApi(unpacked) {
  const [before, after] = [readFileSync(report, 'utf8'), describeApi(unpacked)].map((text) => text.split('\n'));
  const removed = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const added = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  if (before.join() === after.join()) return true;
  console.error('The public API changed. If it was meant to, run `npm run api:update`:');
  console.error([...removed, ...added].join('\n'));
  return false;
}

function describeApi(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const declarations = new Map();
  const entries = Object.entries(exports).flatMap(([entry, { types }]) => {
    if (types === undefined) return [];
    const names = namesOf(join(folder, types)).map(({ name, local, file }) => {
      declarations.set(name, declarationOf(local, file));
      return name;
    });
    return `\n## \`${entry.replace('.', 'gg-svc')}\`\n\n${names
      .sort()
      .map((name) => `- ${name}\n`)
      .join('')}`;
  });
  const sorted = [...declarations].sort(([one], [other]) => (one < other ? -1 : 1));
  const code = sorted.map(([, text]) => text).join('\n\n');
  return `# Public API\n\nWritten by \`npm run api:update\`.\n${entries.join('')}\n## Declarations\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
}

/** The names that a file exports of others, or imports, each with its name in the other file. */
function namesOf(file, isWanted = ts.isExportDeclaration) {
  return parse(file)
    .statements.filter((statement) => isWanted(statement) && statement.moduleSpecifier?.text.startsWith('.'))
    .flatMap(({ exportClause, importClause, moduleSpecifier }) =>
      (exportClause ?? importClause.namedBindings).elements.map(({ name, propertyName }) => ({
        name: name.text,
        local: (propertyName ?? name).text,
        file: join(dirname(file), moduleSpecifier.text.replace(/\.js$/, '.d.ts')),
      })),
    );
}

function declarationOf(name, file) {
  const source = parse(file);
  const found = source.statements.filter((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((declaration) => declaration.name.text === name)
      : statement.name?.text === name,
  );
  if (found.length === 0) {
    const passedOn = [...namesOf(file), ...namesOf(file, ts.isImportDeclaration)].find((one) => one.name === name);
    if (passedOn === undefined) throw new Error(`${file} does not declare ${name}.`);
    const { local } = passedOn;
    return `${local === name ? '' : `// ${name}\n`}${declarationOf(local, passedOn.file)}`;
  }
  return found.map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, source)).join('\n');
}

function parse(file) {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(report, describeApi(root));
