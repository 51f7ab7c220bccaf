import type { ChangeRule } from './model/comparison.js';
import { answerChanges } from './rules/answers.js';
import { chainChanges } from './rules/chains.js';
import { directiveChanges } from './rules/directives.js';
import { enumValueChanges } from './rules/enum-values.js';
import { fieldChanges } from './rules/fields.js';
import { headerArgumentChanges } from './rules/header-arguments.js';
import { argumentChanges, inputFieldChanges } from './rules/input-values.js';
import { operationChanges } from './rules/operations.js';
import { problemChanges } from './rules/problems.js';
import { queryStringChanges } from './rules/query-strings.js';
import { rootTypeChanges } from './rules/root-types.js';
import { routeChanges } from './rules/routes.js';
import { scalarChanges } from './rules/scalars.js';
import { settingsChanges } from './rules/settings.js';
import { storedChanges } from './rules/stored.js';
import { typeChanges } from './rules/types.js';
import { unionChanges } from './rules/unions.js';

/** The rules. Of several changes with the same level and place, those of earlier rules are reported first. */
export const changeRules: readonly ChangeRule[] = [
  rootTypeChanges,
  operationChanges,
  argumentChanges,
  routeChanges,
  chainChanges,
  queryStringChanges,
  headerArgumentChanges,
  answerChanges,
  problemChanges,
  typeChanges,
  fieldChanges,
  inputFieldChanges,
  enumValueChanges,
  unionChanges,
  scalarChanges,
  directiveChanges,
  settingsChanges,
  storedChanges,
];
