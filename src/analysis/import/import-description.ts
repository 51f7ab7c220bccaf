import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { type Diagnostic, diagnose, type Outcome } from '../../base/diagnostics/diagnostic.js';
import { JsonPlace } from '../../base/source/json-place.js';
import { placeOfFault } from '../../base/source/json-places.js';
import { createSourceFile, type SourceFile } from '../../base/source/source-file.js';
import { formatTopology } from '../../compiler/format/format-topology.js';
import { importCollection } from './collection.js';
import { Draft, type Loss } from './draft/draft.js';
import { foldOldNames } from './draft/fold-old-names.js';
import { settleDraft } from './draft/settle-draft.js';
import { withoutChains } from './graphql/chains.js';
import { ImportedTypes } from './graphql/imported-types.js';
import { addOperations } from './graphql/operations.js';
import { readDefinitions } from './graphql/type-definitions.js';
import { importOpenApi } from './openapi.js';
import { collectionExamples, openApiExamples, type SourceExample } from './source-examples.js';

export interface ImportedTopology {
  readonly format: DescriptionFormat;
  /** The topology, formatted and without errors. */
  readonly text: string;
  readonly operations: number;
  readonly types: number;
  /** The parts that did not fit, in the order of their discovery. */
  readonly losses: readonly Loss[];
  readonly examples: readonly SourceExample[];
}

export type DescriptionFormat = 'OpenAPI' | 'GraphQL' | 'Postman collection' | 'SQLite' | 'PostgreSQL';

/** Reads a YAML document as JSON; the reason and the place of the first fault otherwise. */
export type YamlReader = (
  text: string,
) => { readonly value: unknown } | { readonly reason: string; readonly start: number };

/** Whether a text is a YAML mapping with the version of a description, which need not be the first key. */
export function isYaml(text: string): boolean {
  const start = text.trimStart();
  return (
    /^(?:---|#[^\n]*(?:\n|$)|\s)*["']?[\w$][\w$-]*["']?\s*:/.test(start) &&
    /^["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(start)
  );
}

/**
 * Imports an OpenAPI document, a GraphQL schema or a Postman collection as a topology. Detects the format by the content.
 * The value is undefined if the text has another format, or contains nothing that a topology can express.
 *
 * @param readYaml - Without it, YAML is not imported.
 */
export function importDescription(source: SourceFile, readYaml?: YamlReader): Outcome<ImportedTopology | undefined> {
  const read = readDraft(source, readYaml);
  if ('diagnostic' in read) return { value: undefined, diagnostics: [read.diagnostic] };
  const { draft, format, examples = [] } = read;
  foldOldNames(draft);
  const { value, reason } = finishDraft(draft);
  if (value === undefined) return { value, diagnostics: [diagnose('GG4023', { format, reason }, placeAt(source, 0))] };
  return { value: { format, ...value, examples }, diagnostics: [] };
}

/** Writes a draft as a formatted topology; undefined if it has no operation, with the reason in parentheses. */
export function finishDraft(draft: Draft) {
  const settled = draft.edges.length === 0 ? undefined : settleDraft(draft);
  if (settled !== undefined && settled.operations > 0) {
    const text = formatTopology(createSourceFile('topology.gg', settled.text)).value;
    return { value: { ...settled, text }, reason: '' };
  }
  const lost = settled?.losses.find((loss) => draft.edges.some(({ subject }) => subject === loss.subject));
  return { value: undefined, reason: lossText(lost) };
}

/** The loss that left nothing to import, in parentheses behind a sentence; empty without one. */
export function lossText(loss: Loss | undefined): string {
  return loss === undefined ? '' : ` (${loss.subject}: ${loss.reason.replace(/\.$/, '')})`;
}

type DraftReading =
  | { readonly draft: Draft; readonly format: DescriptionFormat; readonly examples?: readonly SourceExample[] }
  | { readonly diagnostic: Diagnostic };

function readDraft(source: SourceFile, readYaml: YamlReader | undefined): DraftReading {
  const start = source.text.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return readJsonDraft(source);
  if (isYaml(start)) {
    const remedy = 'Bundle it as JSON first: npx @redocly/cli bundle api.yaml -o api.json.';
    const read = readYaml?.(source.text);
    if (read === undefined) return unsupported(source, 'YAML', remedy);
    if ('value' in read) return readDocument(source, new JsonPlace(read.value, ''));
    return { diagnostic: diagnose('GG4020', { format: 'YAML', reason: read.reason }, placeAt(source, read.start)) };
  }
  if (source.name.endsWith('.gg')) return unsupported(source, 'A topology');
  let document: DocumentNode;
  try {
    document = parse(source.text);
  } catch (error) {
    const isSyntax = error instanceof GraphQLError;
    const reason = isSyntax ? error.message.replace(/\.$/, '') : 'it is nested too deeply';
    const at = isSyntax ? (error.positions?.[0] ?? 0) : 0;
    return { diagnostic: diagnose('GG4020', { format: 'GraphQL', reason }, placeAt(source, at)) };
  }
  const draft = new Draft();
  const whole = readDefinitions(document, draft);
  const types = new ImportedTypes(whole.isOwn ? withoutChains(whole) : whole, draft);
  types.addNodes();
  addOperations(types);
  return { draft, format: 'GraphQL' };
}

function readJsonDraft(source: SourceFile): DraftReading {
  let document: unknown;
  try {
    document = JSON.parse(source.text);
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : 'it is nested too deeply';
    const reason = message.replace(/\s+/g, ' ').replace(/\.$/, '');
    return { diagnostic: diagnose('GG4020', { format: 'JSON', reason }, placeOfFault(source, message)) };
  }
  return readDocument(source, new JsonPlace(document, ''));
}

function readDocument(source: SourceFile, root: JsonPlace): DraftReading {
  const version = root.text('openapi');
  if (version !== undefined) {
    if (/^3\.[0-2](?:\.|$)/.test(version))
      return { draft: importOpenApi(root), format: 'OpenAPI', examples: openApiExamples(root) };
    return unsupported(source, `OpenAPI ${version}`, 'Convert it to OpenAPI 3.0, 3.1 or 3.2 first.');
  }
  const convert = 'Convert it to OpenAPI 3 first, for example with npx swagger2openapi.';
  if (root.has('swagger')) return unsupported(source, 'Swagger 2.0', convert);
  if (root.has('asyncapi')) return unsupported(source, 'AsyncAPI');
  if ((root.at('data') ?? root).has('__schema'))
    return unsupported(source, 'The result of an introspection query', 'Print the schema as SDL first.');
  const collection = root.at('collection') ?? root;
  if (collection.has('info') && collection.at('item')?.isObject === false)
    return {
      draft: importCollection(collection),
      format: 'Postman collection',
      examples: collectionExamples(collection),
    };
  return { diagnostic: diagnose('GG4021', {}, placeAt(source, 0)) };
}

function unsupported(source: SourceFile, format: string, remedy?: string): DraftReading {
  return { diagnostic: diagnose('GG4022', { format, remedy }, placeAt(source, 0)) };
}

function placeAt({ name }: SourceFile, start: number) {
  return { file: name, start, end: start + 1 };
}
