import { needsArguments } from '../../src/compiler/api/is-required.js';
import { baseName, printTypeRef } from '../../src/compiler/graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { isComposite, memberNames, namedType } from '../../src/compiler/schema/schema-index.js';
import { below, defaultPicks, type FieldDrafts, fieldDrafts, fieldsOf, type Picks, pathTo } from './picks.js';
import { Members } from './value-field.js';

interface PickerProps {
  readonly schema: GqlSchema;
  readonly type: string;
  readonly picks: Picks;
  readonly onChange: (picks: Picks) => void;
  /** The path of the type in the answer. */
  readonly path?: string;
  /** The arguments of fields; absent for REST, which passes none. */
  readonly drafts?: FieldDrafts;
  readonly onDrafts?: (drafts: FieldDrafts) => void;
}

interface Entry {
  readonly name: string;
  readonly of: string;
  readonly text: string;
  readonly field?: GqlField;
}

/** The fields of a type with a tick each; a ticked field shows its arguments below, and an object its own fields. */
export function FieldPicker(props: PickerProps) {
  const { schema, type, picks, onChange, path = '', drafts, onDrafts } = props;
  const members = memberNames(namedType(schema, type));
  const entries: readonly Entry[] =
    members.length > 0
      ? members.map((name) => ({ name, of: name, text: `… on ${name}` }))
      : fieldsOf(schema, type).map((field) => ({
          name: field.name,
          of: baseName(field.type),
          text: field.name,
          field,
        }));
  return (
    <ul class="picks">
      {entries.map(({ name, of, text, field }) => {
        const isRefused = drafts === undefined && field !== undefined && needsArguments(field);
        const isOn = Object.hasOwn(picks, name) && !isRefused;
        const at = pathTo(path, name);
        const isObject = isComposite(schema, of);
        return (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                disabled={isRefused}
                onChange={({ currentTarget }) => {
                  const { [name]: _, ...others } = picks;
                  const added = isObject ? leaves(schema, of) : true;
                  onChange(currentTarget.checked ? { ...others, [name]: added } : others);
                }}
              />
              {text}
            </label>
            {field === undefined ? null : <code class="type">{printTypeRef(field.type)}</code>}
            {isRefused ? <span class="quiet"> takes arguments: GraphQL only</span> : null}
            {isOn && drafts !== undefined && field?.arguments !== undefined ? (
              <fieldset class="arguments">
                <legend class="hidden">Arguments of {at}</legend>
                <Members
                  schema={schema}
                  fields={field.arguments}
                  drafts={fieldDrafts(schema, field, drafts[at])}
                  onChange={(own) => onDrafts?.({ ...drafts, [at]: own })}
                />
              </fieldset>
            ) : null}
            {isOn && isObject ? (
              <FieldPicker
                {...props}
                path={at}
                type={of}
                picks={below(picks, name)}
                onChange={(inner) => onChange({ ...picks, [name]: inner })}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** An object that is ticked begins with its scalars and enums. */
function leaves(schema: GqlSchema, type: string): Picks {
  const picks = Object.entries(defaultPicks(schema, type)).filter(([, below]) => below === true);
  return Object.fromEntries(picks);
}
