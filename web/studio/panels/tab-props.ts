import type { StudioApi, StudioState } from '../../../src/tools/studio/protocol.js';
import type { Subject } from './subject.js';

/** What a tab shows. */
export interface TabProps {
  readonly state: StudioState;
  readonly api: StudioApi;
  readonly subject: Subject;
}
