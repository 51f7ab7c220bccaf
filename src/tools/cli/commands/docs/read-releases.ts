import { diffSchemas } from '../../../../analysis/diff/diff-schemas.js';
import type { Release } from '../../../../analysis/site/changelog.js';
import { hasErrors } from '../../../../base/diagnostics/diagnostic.js';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import type { GqlSchema } from '../../../../compiler/schema/gql-schema.js';
import { analyzeTopologies } from '../../../../runtime/load/analyze-topologies.js';
import type { ImportOptions } from '../../../../runtime/load/import-reach.js';
import { CommandFailure } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import { toLocal } from '../diff/read-operands.js';
import { Repository } from '../diff/repository.js';
import { type FileTree, filesFor, readRevisionTree } from '../diff/trees.js';

/**
 * Reads the topology at each git tag, without a checkout, and compares it with the tag before. The current topology is
 * the newest release, if its API differs from the last tag.
 *
 * @returns The newest release first; or why there are none.
 */
export async function readReleases(
  operands: readonly string[],
  pattern: string,
  io: CliIo,
  current: GqlSchema,
  imports?: ImportOptions,
): Promise<readonly Release[] | string> {
  const outside = operands.find((operand) => operand === '-' || isWebUrl(operand));
  if (outside !== undefined) return `${outside} is in no revision`;
  const paths = operands.map((operand) => toLocal(operand, io.directory));
  let repository: Repository;
  try {
    repository = await Repository.open(io);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const isOutside = error.diagnostics.some(({ code }) => code === 'GG5020');
    return isOutside ? 'not a git repository' : error.message.replace(/\.$/, '');
  }
  const tags = await repository.tags(pattern);
  if (tags.length === 0) return 'no tag in the history of HEAD matches';

  const releases: Release[] = [];
  let before: GqlSchema | undefined;
  for (const { name, date } of tags) {
    const commit = await repository.resolve(`refs/tags/${name}`);
    if (commit === undefined) continue;
    const tree = await readRevisionTree(repository, { name, commit }, paths, imports);
    const found = await schemaIn(tree, paths);
    if ('problem' in found) releases.push({ name, date, problem: found.problem });
    else {
      releases.push({ name, date, ...(before && { changes: diffSchemas(before, found.schema) }) });
      before = found.schema;
    }
  }
  const changes = before === undefined ? [] : diffSchemas(before, current);
  if (changes.length > 0) releases.push({ name: 'Unreleased', changes });
  return releases.reverse();
}

async function schemaIn(
  tree: FileTree,
  paths: readonly string[],
): Promise<{ readonly schema: GqlSchema } | { readonly problem: string }> {
  const files = paths.flatMap((path) => filesFor(tree, path));
  if (files.length === 0) return { problem: 'The topology did not exist.' };
  const { schema, diagnostics } = await analyzeTopologies(files, tree.loader);
  return hasErrors(diagnostics) ? { problem: 'The topology has errors.' } : { schema };
}
