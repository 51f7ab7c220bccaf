import { useId } from 'preact/hooks';
import type { Constraints } from '../../src/compiler/graph/value-notes.js';
import type { GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { namedType } from '../../src/compiler/schema/schema-index.js';
import { isJsonLeaf, problemOf } from './drafts.js';

interface LeafProps {
  readonly schema: GqlSchema;
  readonly type: string;
  readonly constraints: Constraints | undefined;
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The control of a scalar or an enum. An invalid value is reported beside it, and the form is not sent. */
export function LeafField({ schema, type, constraints, label, text, onChange }: LeafProps) {
  const id = useId();
  const problem = problemOf(schema, type, text, constraints);
  const found = namedType(schema, type);
  const options = found.kind === 'enum' ? found.type.values : type === 'Boolean' ? ['true', 'false'] : undefined;
  const common = {
    'aria-label': label,
    'aria-invalid': problem !== undefined,
    ...(problem === undefined ? {} : { 'aria-describedby': id }),
    value: text,
    ref: (control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null) =>
      control?.setCustomValidity(problem ?? ''),
  };
  if (options !== undefined)
    return (
      <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  const isNumber = type === 'Int' || type === 'Float';
  return (
    <>
      {isJsonLeaf(schema, type) || text.includes('\n') ? (
        <textarea
          {...common}
          rows={Math.min(8, text.split('\n').length + 1)}
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          {...(isNumber
            ? { type: 'number', step: type === 'Int' ? 1 : 'any', min: constraints?.minimum, max: constraints?.maximum }
            : { type: 'text', autocomplete: 'off', spellcheck: false })}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {problem === undefined ? null : (
        <p class="problem" id={id}>
          {problem}
        </p>
      )}
    </>
  );
}
