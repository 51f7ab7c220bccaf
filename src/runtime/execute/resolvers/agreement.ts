import { sameJson } from '../../../base/json-schema/same-json.js';
import { isPromiseLike } from '../../../base/values/maybe-promise.js';

/** The result of a branch. */
export interface Answer {
  readonly branch: number;
  readonly value: unknown;
}

/** The results of the branches of a race with a quorum, by their data. */
export class Agreement {
  readonly #groups: { readonly data: unknown; readonly answers: Answer[] }[] = [];

  constructor(readonly quorum: number) {}

  /**
   * Adds the result of a branch.
   *
   * @returns The result of the first branch of those that agree; undefined if too few do.
   * @throws {Error} If the result has values that cannot be compared.
   */
  add(branch: number, value: unknown): Answer | undefined {
    const data = dataOf(value);
    let answers = this.#groups.find((group) => sameJson(group.data, data))?.answers;
    if (answers === undefined) {
      answers = [];
      this.#groups.push({ data, answers });
    }
    answers.push({ branch, value });
    if (answers.length < this.quorum) return undefined;
    return answers.reduce((first, answer) => (answer.branch < first.branch ? answer : first));
  }

  get largest(): number {
    return Math.max(0, ...this.#groups.map(({ answers }) => answers.length));
  }
}

/** The data of a result as JSON, without its `__typename`: each branch has a type of its own. */
function dataOf(result: unknown): unknown {
  const text = JSON.stringify(result ?? null, (key, value: unknown) => {
    if (key === '__typename') return undefined;
    if (typeof value === 'bigint') return String(value);
    if (!isComparable(value)) throw new Error(`“${key}” cannot be compared with the results of other branches`);
    return value;
  });
  return JSON.parse(text);
}

/** Whether the JSON of a value is all of it. Functions, promises, maps and instances without data have no JSON. */
function isComparable(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol' || isPromiseLike(value)) return false;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.keys(value).length > 0;
}
