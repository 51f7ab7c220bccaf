import { useSignal } from '@preact/signals';
import { Tabs } from '../tabs.js';
import { addFile, deleteFile, renameFile } from './editor/editor.js';
import { isFileName } from './shared-state.js';
import { active, files, resolvers, resolversName } from './store.js';

/** The tabs of the files, and what can be done with them. */
export function FileTabs() {
  /** The name that is being entered: of a new file, or of the active one. */
  const entering = useSignal<'add' | 'rename' | undefined>(undefined);
  const hasResolvers = resolvers.value !== undefined;
  const names = [...files.value.map(({ name }) => name), ...(hasResolvers ? [resolversName] : [])];
  const isTopology = active.value !== resolversName;
  const remove = () => {
    if (isTopology) return deleteFile(active.value);
    active.value = files.value[0]?.name ?? '';
    resolvers.value = undefined;
  };
  return (
    <div class="files">
      <Tabs
        label="Files"
        panel="source-panel"
        tabs={names.map((name) => ({ id: name, label: name }))}
        open={active.value}
        onOpen={(name) => (active.value = name)}
      />
      <button type="button" onClick={() => (entering.value = 'add')}>
        New file
      </button>
      {hasResolvers ? null : (
        <button
          type="button"
          onClick={() => {
            resolvers.value = newResolvers;
            active.value = resolversName;
          }}
        >
          Add resolvers
        </button>
      )}
      {isTopology ? (
        <button type="button" onClick={() => (entering.value = 'rename')}>
          Rename
        </button>
      ) : null}
      <button type="button" onClick={remove} disabled={isTopology && files.value.length === 1}>
        Delete
      </button>
      {entering.value === undefined ? null : (
        <NameForm
          label={entering.value === 'add' ? 'Name of the new file' : `New name of ${active.value}`}
          initial={entering.value === 'add' ? '' : active.value}
          onName={(name) => {
            const isNew = entering.value === 'add';
            entering.value = undefined;
            if (isNew) addFile(name);
            else if (name !== active.value) renameFile(active.value, name);
          }}
          onCancel={() => (entering.value = undefined)}
        />
      )}
    </div>
  );
}

const newResolvers = `export default {
  Query: {
  },
};
`;

interface NameFormProps {
  readonly label: string;
  readonly initial: string;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

function NameForm({ label, initial, onName, onCancel }: NameFormProps) {
  const problem = useSignal('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name'));
    const isTaken = name !== initial && files.value.some((file) => file.name === name);
    if (isTaken) problem.value = `There already is a file ${name}.`;
    else if (isFileName(name)) onName(name);
    else problem.value = 'A name consists of letters, digits, _, - and /, and ends with .gg.';
  };
  return (
    <form onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && onCancel()}>
      <label>
        {label}{' '}
        <input name="name" defaultValue={initial} ref={(input) => input?.focus()} aria-invalid={problem.value !== ''} />
      </label>
      <button type="submit">OK</button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      <span role="alert">{problem.value}</span>
    </form>
  );
}
