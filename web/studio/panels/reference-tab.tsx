import type { ComponentChildren } from 'preact';
import { originsOf, placesOf } from '../../../src/analysis/provenance/origins.js';
import { rules } from '../../../src/analysis/provenance/rules.js';
import { assignPaths } from '../../../src/analysis/site/paths.js';
import { describePlace } from '../../../src/base/source/span.js';
import { describeAccess } from '../../../src/compiler/api/access.js';
import { apiChains } from '../../../src/compiler/api/chains/api-chains.js';
import { operationCoordinate, rootTypeOf } from '../../../src/compiler/api/operation-coordinate.js';
import { printNotes } from '../../../src/compiler/api/print-notes.js';
import { hasContent } from '../../../src/compiler/api/rest-routes.js';
import { operationSignature, printConstant } from '../../../src/compiler/api/signature.js';
import { printDefinition, printOperation } from '../../../src/compiler/emit/graphql.js';
import { printTypeRef } from '../../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { routeText } from '../../../src/compiler/schema/route-path.js';
import { inputTypeRef } from '../../../src/compiler/schema/schema-index.js';
import { type StudioApi, studioPaths } from '../../../src/tools/studio/protocol.js';
import { CopiedText } from '../../try/code-text.js';
import { PartLink } from './part-link.js';
import type { TabProps } from './subject.js';

/** What the API says of the selected part. */
export function ReferenceTab({ api, subject }: TabProps) {
  const { schema } = api;
  switch (subject.kind) {
    case 'operation':
      return (
        <>
          <Operation api={api} operation={subject.operation} />
          <Provenance schema={schema} coordinate={subject.coordinate} />
        </>
      );
    case 'union':
      return (
        <>
          <Description text={subject.union.description} />
          <p>
            The first of {subject.union.members.join(', ')} wins; it is returned in the place of {subject.union.target}.
          </p>
          <Definitions schema={schema} names={[subject.union.name, ...subject.union.members]} />
          <Provenance schema={schema} coordinate={subject.coordinate} />
        </>
      );
    case 'node':
      return (
        <>
          {subject.operations.length === 0 ? null : (
            <>
              <h3>Operations</h3>
              <ul class="links">
                {subject.operations.map(({ kind, name }) => (
                  <li key={`${kind} ${name}`}>
                    <PartLink part={operationCoordinate({ kind, name })}>
                      <span class={`kind ${kind}`}>{kind}</span> {name}
                    </PartLink>
                  </li>
                ))}
              </ul>
            </>
          )}
          <Definitions schema={schema} names={subject.types} />
          {subject.types[0] === undefined ? null : <Provenance schema={schema} coordinate={subject.types[0]} />}
        </>
      );
  }
}

function Operation({ api, operation }: { readonly api: StudioApi; readonly operation: GqlOperation }) {
  const { schema } = api;
  const coordinate = operationCoordinate(operation);
  const { kind, description, deprecated, arguments: args, throws = [], nullStatus, status } = operation;
  const sdl = `type ${rootTypeOf(kind)} {\n${printOperation(schema, operation)}}\n`;
  return (
    <>
      <pre class="code signature">{operationSignature(schema, operation)}</pre>
      <Description text={description} />
      <dl class="facts">
        {deprecated === undefined ? null : <Fact name="Deprecated">{deprecated}</Fact>}
        {kind === 'subscription' ? null : (
          <Fact name="REST">
            <code>{routeText(operation)}</code>
          </Fact>
        )}
        <Fact name="Result">
          <code>{printTypeRef(operation.type)}</code>
          {status === undefined ? '' : `, status ${status}`}
          {hasContent(operation) ? '' : ', without a body'}
          {nullStatus === undefined ? '' : `; status ${nullStatus} without a value`}
        </Fact>
        <Fact name="Access">{(describeAccess(operation) ?? 'Open to all callers.').replaceAll('`', '')}</Fact>
        <Chain schema={schema} operation={operation} />
        {throws.length === 0 ? null : (
          <Fact name="Errors">
            {throws.map((name, at) => (
              <span key={name}>
                {at === 0 ? '' : ', '}
                <code>{name}</code> ({schema.problems?.find((problem) => problem.name === name)?.status})
              </span>
            ))}
          </Fact>
        )}
        <Fact name="Answered by">{api.answeredBy[coordinate] ?? 'nothing yet: it answers NOT_IMPLEMENTED'}</Fact>
      </dl>
      {args.length === 0 ? null : (
        <>
          <h3>Arguments</h3>
          <dl class="arguments">
            {args.map((argument) => (
              <Argument key={argument.name} schema={schema} argument={argument} />
            ))}
          </dl>
        </>
      )}
      <h3>SDL</h3>
      <CopiedText text={sdl} what="SDL" />
    </>
  );
}

/** The chain whose goal an operation is, and what a durable chain needs of it as a step. */
function Chain({ schema, operation }: { readonly schema: GqlSchema; readonly operation: GqlOperation }) {
  const coordinate = operationCoordinate(operation);
  const chain = apiChains(schema).find(({ goal }) => operationCoordinate(goal.operation) === coordinate);
  const { durable, undo, retries } = operation;
  return (
    <>
      {chain === undefined ? null : (
        <Fact name={durable ? 'Durable chain' : 'Chain'}>
          <code>POST {chain.path}</code> runs {chain.steps.map(({ name }) => name).join(' → ')}
          {durable ? ', and goes on after a crash' : ''}
        </Fact>
      )}
      {undo === undefined ? null : (
        <Fact name="Undone by">
          <code>{undo}</code>
        </Fact>
      )}
      {retries === undefined ? null : <Fact name="Retries">{retries}</Fact>}
    </>
  );
}

function Argument({ schema, argument }: { readonly schema: GqlSchema; readonly argument: GqlArgument }) {
  const { name, type, fallback, description, examples } = argument;
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <code>
          {printTypeRef(inputTypeRef(schema, type))}
          {fallback === undefined ? '' : ` = ${printConstant(schema, type, fallback)}`}
          {printNotes(argument)}
        </code>
        <Description text={description} />
        {examples === undefined ? null : (
          <p class="quiet">Example: {examples.map((example) => JSON.stringify(example)).join(', ')}</p>
        )}
      </dd>
    </>
  );
}

function Definitions({ schema, names }: { readonly schema: GqlSchema; readonly names: readonly string[] }) {
  const text = names.flatMap((name) => printDefinition(schema, name) ?? []).join('');
  if (text === '') return null;
  return (
    <>
      <h3>SDL</h3>
      <CopiedText text={`${text.trimEnd()}\n`} what="SDL" />
    </>
  );
}

function Provenance({ schema, coordinate }: { readonly schema: GqlSchema; readonly coordinate: string }) {
  const origin = originsOf(schema).get(coordinate);
  if (origin === undefined) return null;
  const { text } = rules[origin.rule];
  const page = assignPaths(schema).all.get(coordinate);
  return (
    <>
      <h3>Provenance</h3>
      <ul class="links">
        {placesOf(schema, origin).map(({ span, what }, at) => (
          <li key={at}>
            {what} <code>{describePlace(schema.sources, span)}</code>
          </li>
        ))}
      </ul>
      <p class="quiet">{text}</p>
      {page === undefined ? null : (
        <p>
          <a href={`${studioPaths.reference}${page}.html`}>Reference page</a>
        </p>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Description({ text }: { readonly text: string | undefined }) {
  return text === undefined || text === '' ? null : <p class="description">{text}</p>;
}
