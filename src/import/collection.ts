import { Draft } from './draft/draft.js';
import type { JsonPlace } from './draft/json-place.js';

/** Imports a Postman collection of format 2.0 or 2.1. */
export function importCollection(_root: JsonPlace): Draft {
  return new Draft();
}
