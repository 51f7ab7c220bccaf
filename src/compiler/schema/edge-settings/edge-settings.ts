import { anyScopeSetting, rolesSetting, scopesSetting } from './access-lists.js';
import { authSetting } from './auth.js';
import type { EdgeSetting } from './edge-setting.js';
import { idempotentSetting } from './idempotent.js';
import { openSetting } from './open.js';
import { ownerSetting } from './owner.js';
import { pageSetting } from './page.js';
import { routeSetting } from './route.js';
import { nullStatusSetting, statusSetting } from './status.js';
import { throwsSetting } from './throws.js';

/** The settings of edges that become parts of operations. `operation`, `union` and `after` belong to the grouping. */
export const edgeSettings: readonly EdgeSetting[] = [
  routeSetting,
  statusSetting,
  nullStatusSetting,
  throwsSetting,
  pageSetting,
  idempotentSetting,
  authSetting,
  scopesSetting,
  anyScopeSetting,
  rolesSetting,
  ownerSetting,
  openSetting,
];
