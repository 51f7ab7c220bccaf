import { pointerStep } from './json-pointer.js';

/** A value in a JSON document, with its place. Only own members are read, even for names such as `constructor`. */
export class JsonPlace {
  constructor(
    readonly value: unknown,
    readonly pointer: string,
  ) {}

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  /** A member of an object, or an item of a list; undefined if there is none. */
  at(key: string | number): JsonPlace | undefined {
    const { value } = this;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return new JsonPlace((value as Record<string | number, unknown>)[key], this.pointer + pointerStep(key));
  }

  has(key: string): boolean {
    return typeof this.value === 'object' && this.value !== null && Object.hasOwn(this.value, key);
  }

  text(key: string): string | undefined {
    const value = this.at(key)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  flag(key: string): boolean {
    return this.at(key)?.value === true;
  }

  list(key: string): readonly JsonPlace[] {
    const member = this.at(key);
    if (member === undefined || !Array.isArray(member.value)) return [];
    return member.value.map((item, at) => new JsonPlace(item, `${member.pointer}/${at}`));
  }

  texts(key: string): readonly string[] {
    return this.list(key).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  }

  /** The members of an object, or of the object that a member is. */
  entries(key?: string): readonly (readonly [string, JsonPlace])[] {
    if (key !== undefined) return this.at(key)?.entries() ?? [];
    if (!this.isObject) return [];
    return Object.entries(this.value as object).map(([name, value]) => [
      name,
      new JsonPlace(value, this.pointer + pointerStep(name)),
    ]);
  }

  /** The place as a URI fragment (RFC 6901, section 6). */
  get place(): string {
    return `#${this.pointer}`;
  }
}
