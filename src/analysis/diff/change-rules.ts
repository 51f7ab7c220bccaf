import type { ChangeRule } from './model/comparison.js';
import { chainChanges } from './rules/chains.js';
import { argumentChanges, fieldChanges, inputFieldChanges } from './rules/members.js';
import { operationChanges, problemChanges, rootTypeChanges } from './rules/operations.js';
import { answerChanges, headerArgumentChanges, queryStringChanges, routeChanges } from './rules/rest.js';
import { directiveChanges, settingsChanges } from './rules/settings.js';
import { storedChanges } from './rules/stored.js';
import { enumValueChanges, scalarChanges, typeChanges, unionChanges } from './rules/types.js';

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
