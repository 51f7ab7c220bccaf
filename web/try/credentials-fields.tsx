import type { GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { type Credentials, readHeaders, schemeKey } from './credentials.js';

interface CredentialsProps {
  readonly schema: GqlSchema;
  readonly credentials: Credentials;
  readonly onChange: (credentials: Credentials) => void;
}

/** A field for each way to authenticate, and one for further headers. */
export function CredentialsFields({ schema, credentials, onChange }: CredentialsProps) {
  const { secrets, headers } = credentials;
  const { problem } = readHeaders(headers);
  return (
    <div class="members">
      {(schema.security ?? []).map((scheme) => {
        const key = schemeKey(scheme);
        return (
          <label class="member" key={key}>
            <span class="name">{scheme.type === 'bearer' ? 'Bearer token' : `API key (${scheme.header})`}</span>
            <input
              type="password"
              autocomplete="off"
              value={secrets[key] ?? ''}
              onInput={({ currentTarget }) =>
                onChange({ ...credentials, secrets: { ...secrets, [key]: currentTarget.value } })
              }
            />
          </label>
        );
      })}
      <label class="member">
        <span class="name">Further headers</span>
        <textarea
          rows={2}
          spellcheck={false}
          placeholder="name: value"
          value={headers}
          aria-invalid={problem !== undefined}
          ref={(control) => control?.setCustomValidity(problem ?? '')}
          onInput={({ currentTarget }) => onChange({ ...credentials, headers: currentTarget.value })}
        />
      </label>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      <p class="quiet">They are kept in this tab until it is closed.</p>
    </div>
  );
}
