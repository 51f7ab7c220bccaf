import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** A small rule that many files need, and the only file that may spell it out. */
interface Rule {
  /** What the other files use. */
  readonly owner: string;
  /** Whether a node spells the rule out. */
  readonly isCopy: (node: ts.Node) => boolean;
  /** Files with another rule that looks like it, and what theirs is. */
  readonly others?: Readonly<Record<string, string>>;
}

const rules: readonly Rule[] = [
  {
    owner: 'base/source/parse-url.ts: isWebUrl, isUrl, isUri',
    isCopy: (node) => ts.isRegularExpressionLiteral(node) && /https\?|\[a-z\]\[a-z[^\]]*\][+*]?:/.test(node.text),
    others: {
      'runtime/hosts/node/request-target.ts': 'the target of a request (RFC 9112, section 3.2)',
      'runtime/traffic/cors.ts': 'an origin as browsers send it',
      'federation/bundle.ts': 'the form of addresses in signed records',
      'analysis/site/prose.ts': 'the links of Markdown',
      'tools/cli/commands/init.ts': 'the specifiers of npm',
      'analysis/import/collection/requests.ts': 'an address that may begin with a variable of Postman',
      'compiler/emit/collection/addresses.ts': 'an address that may begin with a variable of Postman',
    },
  },
  {
    owner: 'base/source/span.ts: wholeFile',
    isCopy: (node) =>
      ts.isObjectLiteralExpression(node) &&
      ['start: 0', 'end: 0'].every((member) => node.properties.some((one) => one.getText() === member)),
  },
  {
    owner: 'runtime/load/globs.ts: isPattern, isGlob',
    isCopy: (node) => ts.isRegularExpressionLiteral(node) && /\[[^\]]*(?:\*\?|\?\*)[^\]]*[{[]/.test(node.text),
    others: {
      'tools/cli/commands/diff/read-operands.ts': 'globs that cannot be the name of a branch',
    },
  },
  {
    owner: 'base/diagnostics/shown-value.ts: shownValue, shortened',
    isCopy: (node) =>
      ts.isTemplateExpression(node) && /^`\$\{[\w.]*\.slice\(0, (?:59|60|longest)\b.*…`$/.test(node.getText()),
  },
  {
    owner: 'compiler/api/curl.ts: curlLine, curlCommand',
    isCopy: (node) => ts.isStringLiteral(node) && (node.text === "'\\''" || /^curl\b/.test(node.text)),
    others: { 'analysis/site/operation-page.ts': 'the name of a tab' },
  },
  {
    owner: 'base/json-schema/limits.ts: compileLimits, violation',
    isCopy: (node) =>
      ts.isBindingElement(node) && /^(?:exclusiveM..imum|multipleOf|minLength|minItems)\b/.test(node.getText()),
    others: {
      'analysis/store/ddl.ts': 'the limits that a database checks',
      'analysis/store/seed-values.ts': 'lists within limits',
      'compiler/api/argument-checks.ts': 'the schema of a list and of its items',
      'compiler/api/example-values.ts': 'values within limits',
      'compiler/api/examples.ts': 'lists within limits',
      'compiler/emit/openapi/type-schema.ts': 'the schema of a list and of its items',
      'federation/shape.ts': 'the words for a list of the wrong length',
    },
  },
  {
    owner: 'base/json-schema/formats.ts: formatCheck',
    isCopy: (node) => ts.isImportDeclaration(node) && node.moduleSpecifier.getText().includes('json-schema-formats'),
  },
];

/** Programs that give their errors neither a code nor a class, or no name apart from the message. */
const foreignMessages: Readonly<Record<string, string>> = {
  'base/source/json-places.ts': 'JSON.parse: the position',
  'runtime/limits/document-reader.ts': 'graphql-js: too many tokens; the owner of a field',
  'runtime/execute/events/event-checks.ts': 'graphql-js: null for a field that is not nullable',
  'runtime/load/explain-import.ts': 'Node.js: a missing module; a module that is read as CommonJS',
  'runtime/load/load-peer.ts': 'Node.js: the name of a missing package',
  'runtime/execute/resolvers/race-errors.ts': 'prints the final full stop of a message',
  'runtime/brokers/redis.ts': 'a message of Redis, which is no error',
};

const src = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split('\\').join('/'))
  .sort();

/** The nodes of all sources that fulfil a condition: `file:line text`. */
function find(condition: (node: ts.Node) => boolean): readonly { readonly file: string; readonly place: string }[] {
  return files.flatMap((file) => {
    const tree = treeOf(file);
    const found: { file: string; place: string }[] = [];
    const visit = (node: ts.Node): void => {
      if (condition(node)) {
        const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
        found.push({ file, place: `${file}:${line + 1} ${node.getText(tree).slice(0, 100)}` });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });
}

const trees = new Map<string, ts.SourceFile>();
function treeOf(file: string): ts.SourceFile {
  let tree = trees.get(file);
  if (tree === undefined) {
    tree = ts.createSourceFile(file, readFileSync(src + file, 'utf8'), ts.ScriptTarget.Latest, true);
    trees.set(file, tree);
  }
  return tree;
}

test.each(rules)('$owner has no copies', ({ owner, isCopy, others = {} }) => {
  const [place = '', names = ''] = owner.split(': ');
  for (const name of names.split(', ')) expect(treeOf(place).text).toContain(`export function ${name}(`);
  const found = find(isCopy).filter(({ file }) => file !== place);
  expect(found.filter(({ file }) => !(file in others)).map((one) => one.place)).toEqual([]);
  const unused = Object.keys(others).filter((file) => !found.some((one) => one.file === file));
  expect(unused).toEqual([]);
});

/** Whether a call compares the message of an error with a text or a pattern. */
function readsMessage(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: subject, name } = node.expression;
  const isMessage = (part: ts.Node | undefined) =>
    part !== undefined &&
    /(?:^|\.)message$/.test(
      part
        .getText()
        .replace(/[()]/g, '')
        .replace(/ as \w+/, ''),
    );
  return ['test', 'exec'].includes(name.text)
    ? isMessage(node.arguments[0])
    : ['startsWith', 'endsWith', 'includes', 'match', 'matchAll', 'search'].includes(name.text) && isMessage(subject);
}

test('recognizes errors by class, code and data, not by message', () => {
  const found = find(readsMessage);
  expect(found.filter(({ file }) => !(file in foreignMessages)).map(({ place }) => place)).toEqual([]);
  const unused = Object.keys(foreignMessages).filter((file) => !found.some((one) => one.file === file));
  expect(unused).toEqual([]);
});
