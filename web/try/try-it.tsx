import { useMemo } from 'preact/hooks';
import type { GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { callState, credentials, startCall, type Target } from './call-state.js';
import { codeOf } from './code.js';
import { CopiedText } from './code-text.js';
import { codeHeaders } from './credentials.js';
import { CredentialsFields } from './credentials-fields.js';
import { ExchangeView } from './exchange-view.js';
import { FieldPicker } from './field-picker.js';
import { answeredType, type CallForm, canPick, fitForm, type Protocol, picksFor, requestOf } from './request.js';
import { Members } from './value-field.js';

interface OperationProps {
  readonly schema: GqlSchema;
  readonly operation: GqlOperation;
}

/** A form that calls one operation, the exchange, and the call as code. */
export function TryIt({ schema, operation, target }: OperationProps & { readonly target: Target }) {
  const state = callState(schema, operation);
  const kept = state.form.value;
  const form = useMemo(() => fitForm(schema, operation, kept), [schema, operation, kept]);
  const exchange = state.exchange.value;
  const change = (next: Partial<CallForm>) => {
    state.form.value = { ...form, ...next };
  };
  const isSubscription = operation.kind === 'subscription';
  const isOpen = exchange?.isOpen === true;
  return (
    <div class="try">
      <form
        aria-label={`Call ${operation.name}`}
        onSubmit={(event) => {
          event.preventDefault();
          startCall(state, schema, requestOf(schema, operation, form, target.endpoint), target);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
      >
        {isSubscription ? null : (
          <ProtocolChoice protocol={form.protocol} onChange={(protocol) => change({ protocol })} />
        )}
        {operation.arguments.length === 0 ? (
          <p class="quiet">It takes no arguments.</p>
        ) : (
          <Members
            schema={schema}
            fields={operation.arguments}
            drafts={form.drafts}
            onChange={(drafts) => change({ drafts })}
          />
        )}
        {canPick(schema, operation, form.protocol) ? (
          <Fields schema={schema} operation={operation} form={form} onChange={change} />
        ) : null}
        <details>
          <summary>Credentials and headers</summary>
          <CredentialsFields
            schema={schema}
            credentials={credentials.value}
            onChange={(next) => (credentials.value = next)}
          />
        </details>
        <p class="actions">
          <button type="submit" class="main">
            {isSubscription ? 'Subscribe' : 'Send'}
          </button>
          {isOpen ? (
            <button type="button" onClick={() => state.controller.abort()}>
              Stop
            </button>
          ) : null}
        </p>
      </form>
      {exchange === undefined ? null : <ExchangeView exchange={exchange} />}
      <CallCode schema={schema} operation={operation} form={form} target={target} />
    </div>
  );
}

interface ProtocolProps {
  readonly protocol: Protocol;
  readonly onChange: (protocol: Protocol) => void;
}

function ProtocolChoice({ protocol, onChange }: ProtocolProps) {
  return (
    <fieldset class="choice">
      <legend>Protocol</legend>
      {(['rest', 'graphql'] as const).map((each) => (
        <label key={each}>
          <input type="radio" name="protocol" checked={protocol === each} onChange={() => onChange(each)} />
          {each === 'rest' ? 'REST' : 'GraphQL'}
        </label>
      ))}
    </fieldset>
  );
}

interface FieldsProps extends OperationProps {
  readonly form: CallForm;
  readonly onChange: (next: Partial<CallForm>) => void;
}

function Fields({ schema, operation, form, onChange }: FieldsProps) {
  const type = answeredType(operation, form.protocol);
  const { [type]: chosen, ...others } = form.picks;
  return (
    <details>
      <summary>Fields of the answer{chosen === undefined ? '' : ' (chosen)'}</summary>
      {chosen === undefined ? null : (
        <button type="button" class="small" onClick={() => onChange({ picks: others })}>
          Default fields
        </button>
      )}
      <FieldPicker
        schema={schema}
        type={type}
        picks={picksFor(schema, operation, form)}
        onChange={(picks) => onChange({ picks: { ...others, [type]: picks } })}
        {...(form.protocol === 'graphql' && {
          drafts: form.fieldDrafts ?? {},
          onDrafts: (fieldDrafts) => onChange({ fieldDrafts }),
        })}
      />
    </details>
  );
}

interface CodeProps extends OperationProps {
  readonly form: CallForm;
  readonly target: Target;
}

function CallCode({ schema, operation, form, target: { origin, endpoint } }: CodeProps) {
  const headers = codeHeaders(schema, credentials.value);
  return (
    <section class="codes" aria-label="The call as code">
      {codeOf(schema, operation, form, { origin, endpoint, headers }).map(({ title, text }) => (
        <details key={title}>
          <summary>{title}</summary>
          <CopiedText text={text} what={title} />
        </details>
      ))}
    </section>
  );
}
