import { isComposite } from '../../src/api/nesting.js';
import { baseName, printTypeRef } from '../../src/graph/type-ref.js';
import type { GqlSchema } from '../../src/schema/gql-schema.js';
import { memberNames, namedType } from '../../src/schema/schema-index.js';
import { below, defaultPicks, fieldsOf, type Picks } from './picks.js';

interface PickerProps {
  readonly schema: GqlSchema;
  readonly type: string;
  readonly picks: Picks;
  readonly onChange: (picks: Picks) => void;
}

/** The fields of a type with a tick each; a ticked object shows its own fields below. */
export function FieldPicker({ schema, type, picks, onChange }: PickerProps) {
  const members = memberNames(namedType(schema, type));
  const entries =
    members.length > 0
      ? members.map((name) => ({ name, of: name, text: `… on ${name}`, note: '' }))
      : fieldsOf(schema, type).map((field) => ({
          name: field.name,
          of: baseName(field.type),
          text: field.name,
          note: printTypeRef(field.type),
        }));
  return (
    <ul class="picks">
      {entries.map(({ name, of, text, note }) => {
        const isOn = Object.hasOwn(picks, name);
        const isObject = isComposite(schema, of);
        return (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                onChange={({ currentTarget }) => {
                  const { [name]: _, ...others } = picks;
                  const added = isObject ? leaves(schema, of) : true;
                  onChange(currentTarget.checked ? { ...others, [name]: added } : others);
                }}
              />
              {text}
            </label>
            {note === '' ? null : <code class="type">{note}</code>}
            {isOn && isObject ? (
              <FieldPicker
                schema={schema}
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
