import { TryIt } from '../../try/try-it.js';
import { ownTarget } from './own-target.js';
import type { TabProps } from './tabs.js';

/** Calls the selected operation. */
export function TryTab({ state, api, subject }: TabProps) {
  if (subject.kind !== 'operation') return null;
  return <TryIt schema={api.schema} operation={subject.operation} target={ownTarget(state)} />;
}
