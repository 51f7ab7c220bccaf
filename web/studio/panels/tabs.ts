import type { FunctionComponent } from 'preact';
import { CallsTab } from './calls-tab.js';
import { ReferenceTab } from './reference-tab.js';
import { SourceTab } from './source-tab.js';
import type { Subject } from './subject.js';
import type { TabProps } from './tab-props.js';
import { TryTab } from './try-tab.js';

/** A tab of the panel. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly appliesTo: (subject: Subject) => boolean;
  readonly View: FunctionComponent<TabProps>;
}

const isOperation = ({ kind }: Subject) => kind === 'operation';

/** The tabs, in order. */
export const tabs: readonly Tab[] = [
  { id: 'source', label: 'Source', appliesTo: () => true, View: SourceTab },
  { id: 'reference', label: 'Reference', appliesTo: () => true, View: ReferenceTab },
  { id: 'try', label: 'Try it', appliesTo: isOperation, View: TryTab },
  { id: 'calls', label: 'Calls', appliesTo: isOperation, View: CallsTab },
];
