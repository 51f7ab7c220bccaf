import {
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { Watch } from '../../logs/watch.js';
import { agrees } from '../../values/agrees.js';
import { GuardedList } from '../../values/guarded-list.js';
import { readProperty } from '../../values/read-property.js';

/** Whether a subscriber gets an event. The context is passed to the resolvers of its fields. */
export type EventFilter = (event: unknown, context: unknown) => Promise<boolean>;

/**
 * Creates the filter of one subscriber from the arguments of its subscription. An argument selects the events whose
 * field of the same name has its value. An omitted argument, or null, selects all events; an event without the field is
 * selected only if the argument is omitted. A list selects events whose field equals one of its items, or, if the field
 * is a list too, the same list; an input object selects events that agree in all of the given fields.
 *
 * @returns Undefined when every event passes.
 */
export function createEventFilter(
  field: GraphQLField<unknown, unknown>,
  args: Readonly<Record<string, unknown>>,
  info: GraphQLResolveInfo,
  watch: Watch,
): EventFilter | undefined {
  const given = field.args.filter(({ name }) => args[name] !== null && args[name] !== undefined);
  if (given.length === 0) return undefined;
  const target = getNamedType(field.type);
  const fields = isObjectType(target) ? target.getFields() : {};
  const checks = given.map(({ name, type }) => {
    const leaf = getNamedType(type);
    const wanted = plain(args[name], isLeafType(leaf) ? leaf : undefined);
    const resolve = Object.hasOwn(fields, name) ? fields[name]?.resolve : undefined;
    return async (event: unknown, context: unknown): Promise<boolean> => {
      const value =
        resolve === undefined ? readProperty(event, name) : await resolve(event, {}, context, info);
      return agrees(wanted, plain(value, isLeafType(leaf) ? leaf : undefined));
    };
  });
  return async (event, context) => {
    try {
      for (const check of checks) if (!(await check(event, context))) return false;
      return true;
    } catch (error) {
      // The filter could not be evaluated, so the event is withheld from the subscriber.
      watch.fault(error);
      return false;
    }
  };
}

/** A value in its JSON form, so that 5 and '5' are the same ID, and a date equals its text. */
function plain(value: unknown, leaf: GraphQLLeafType | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof GuardedList) return plain([...value.items], leaf);
  if (Array.isArray(value)) return value.map((item) => plain(item, leaf));
  if (leaf !== undefined) return leaf.serialize(value);
  const text = JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member));
  return JSON.parse(text ?? 'null');
}
