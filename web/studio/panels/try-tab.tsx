import type { StudioState } from '../../../src/tools/studio/protocol.js';
import type { Target } from '../../try/call-state.js';
import { TryIt } from '../../try/try-it.js';
import type { TabProps } from './subject.js';

/** Calls the selected operation. */
export function TryTab({ state, api, subject }: TabProps) {
  if (subject.kind !== 'operation') return null;
  return <TryIt schema={api.schema} operation={subject.operation} target={ownTarget(state)} />;
}

/** The server that serves the page: the API is on the same port. */
export function ownTarget({ endpoint }: StudioState): Target {
  return { fetch: (url, init) => fetch(url, init), origin: location.origin, endpoint };
}
