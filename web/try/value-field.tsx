import { isRequired } from '../../src/compiler/api/is-required.js';
import { argumentSignature } from '../../src/compiler/api/signature.js';
import { nullable, printTypeRef, type TypeRef } from '../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlInputType, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { inputTypeOf, inputTypeRef } from '../../src/compiler/schema/schema-index.js';
import { type Draft, type Drafts, exampleDraft, exampleElement } from './drafts.js';
import { LeafField } from './leaf-field.js';

interface MembersProps {
  readonly schema: GqlSchema;
  readonly fields: readonly GqlArgument[];
  readonly drafts: Drafts;
  readonly onChange: (drafts: Drafts) => void;
}

/** The arguments of an operation or the members of an input. Those that may be left out have a tick. */
export function Members({ schema, fields, drafts, onChange }: MembersProps) {
  return (
    <div class="members">
      {fields.map((field) => (
        <Member
          key={field.name}
          schema={schema}
          field={field}
          draft={drafts[field.name]}
          onChange={(draft) => {
            const { [field.name]: _, ...others } = drafts;
            onChange(draft === undefined ? others : { ...others, [field.name]: draft });
          }}
        />
      ))}
    </div>
  );
}

interface MemberProps {
  readonly schema: GqlSchema;
  readonly field: GqlArgument;
  readonly draft: Draft | undefined;
  readonly onChange: (draft: Draft | undefined) => void;
}

function Member({ schema, field, draft, onChange }: MemberProps) {
  const { name, type, description, deprecated } = field;
  const isGiven = draft !== undefined;
  return (
    <div class={isGiven ? 'member' : 'member off'}>
      <div class="about">
        {isRequired(field) ? (
          <span class="name">{name}</span>
        ) : (
          <label class="name">
            <input
              type="checkbox"
              checked={isGiven}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? exampleDraft(schema, field) : undefined)
              }
            />
            {name}
          </label>
        )}
        <code class="type" title={argumentSignature(schema, field)}>
          {printTypeRef(inputTypeRef(schema, type))}
        </code>
        {isGiven && type.kind !== 'nonNull' ? (
          <button
            type="button"
            class="small"
            aria-pressed={draft === null}
            aria-label={`${name} is null`}
            onClick={() => onChange(draft === null ? notNull(exampleDraft(schema, field)) : null)}
          >
            null
          </button>
        ) : null}
      </div>
      {draft === undefined || draft === null ? null : (
        <Value schema={schema} field={field} type={type} label={name} draft={draft} onChange={onChange} />
      )}
      {description === undefined && deprecated === undefined ? null : (
        <p class="quiet">
          {deprecated === undefined ? '' : `Deprecated: ${deprecated} `}
          {description}
        </p>
      )}
    </div>
  );
}

interface ValueProps {
  readonly schema: GqlSchema;
  /** The argument or member that the value belongs to. */
  readonly field: GqlArgument;
  readonly type: TypeRef;
  readonly label: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function Value(props: ValueProps) {
  const { schema, field, type, label, draft, onChange } = props;
  const bare = nullable(type);
  if (bare.kind === 'list') return <List {...props} draft={draft as readonly Draft[]} of={bare.of} />;
  const input = inputTypeOf(schema, bare.name);
  if (input === undefined)
    return (
      <LeafField
        schema={schema}
        type={bare.name}
        constraints={field.constraints}
        label={label}
        text={draft as string}
        onChange={onChange}
      />
    );
  return (
    <fieldset>
      <legend class={label === field.name ? 'hidden' : ''}>{label}</legend>
      {input.oneOf === true ? (
        <OneOf schema={schema} input={input} draft={draft as Drafts} onChange={onChange} />
      ) : (
        <Members schema={schema} fields={input.fields} drafts={draft as Drafts} onChange={onChange} />
      )}
    </fieldset>
  );
}

function List({ of, draft: items, ...props }: ValueProps & { readonly of: TypeRef; readonly draft: readonly Draft[] }) {
  const { schema, field, label, onChange } = props;
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field.constraints ?? {};
  return (
    <fieldset>
      <legend class={label === field.name ? 'hidden' : ''}>{label}</legend>
      {items.map((item, at) => (
        <div class="item" key={at}>
          {item === null ? (
            <code>null</code>
          ) : (
            <Value
              {...props}
              type={of}
              label={`${label} ${at + 1}`}
              draft={item}
              onChange={(next) => onChange(items.map((former, index) => (index === at ? next : former)))}
            />
          )}
          <button
            type="button"
            class="small"
            disabled={items.length <= minItems}
            aria-label={`Remove ${label} ${at + 1}`}
            onClick={() => onChange(items.filter((_, index) => index !== at))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        class="small"
        disabled={items.length >= maxItems}
        aria-label={`Add to ${label}`}
        onClick={() => onChange([...items, notNull(exampleElement(schema, field, of))])}
      >
        Add
      </button>
    </fieldset>
  );
}

interface OneOfProps {
  readonly schema: GqlSchema;
  readonly input: GqlInputType;
  readonly draft: Drafts;
  readonly onChange: (draft: Draft) => void;
}

/** Exactly one member is given. */
function OneOf({ schema, input, draft, onChange }: OneOfProps) {
  const chosen = input.fields.find(({ name }) => Object.hasOwn(draft, name)) ?? input.fields[0];
  if (chosen === undefined) return null;
  const value = draft[chosen.name];
  return (
    <div class="member">
      <label class="about">
        <span class="quiet">One of</span>
        <select
          value={chosen.name}
          onChange={({ currentTarget }) => {
            const next = input.fields.find(({ name }) => name === currentTarget.value);
            if (next !== undefined) onChange({ [next.name]: notNull(exampleDraft(schema, next)) });
          }}
        >
          {input.fields.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {value === undefined || value === null ? null : (
        <Value
          schema={schema}
          field={chosen}
          type={chosen.type}
          label={chosen.name}
          draft={value}
          onChange={(next) => onChange({ [chosen.name]: next })}
        />
      )}
    </div>
  );
}

/** An example is never null, but a default may be. */
function notNull(draft: Draft): Draft {
  return draft ?? '';
}
