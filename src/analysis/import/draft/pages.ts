import type { DraftSetting, DraftTag } from './draft.js';

/** The tag `@page` of a field. */
export function pageTag(size: string, isCounted: boolean): DraftTag {
  return { name: 'page', text: isCounted ? `${size} totalCount` : size };
}

/** The setting `page` of an edge. */
export function pageSetting(size: string, isCounted: boolean, place: DraftSetting['place']): DraftSetting {
  return { key: 'page', text: isCounted ? `'${size} totalCount'` : size, place };
}
