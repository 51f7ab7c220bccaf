import { accessOf, joinAccess } from '../../graph/access.js';
import { appendTo } from '../../graph/maps.js';
import type { GqlAccess, GqlField, GqlObjectType } from '../gql-schema.js';
import type { NodeTypes } from './project-nodes.js';

/**
 * The types with what their interfaces demand. A field of an object demands what the interfaces of the object say of
 * it, too, so that no object gives away what an interface protects. A field of an interface demands what that field of
 * any of its objects demands, because a client may get each of them.
 */
export function withInterfaceAccess(types: NodeTypes): NodeTypes {
  const { interfaces, objects } = types;
  const isOpen = (type: GqlObjectType) => type.fields.every(({ auth }) => auth === undefined);
  if (interfaces === undefined || (interfaces.every(isOpen) && objects.every(isOpen))) return types;
  const declared = new Map(interfaces.map((type) => [type.name, type]));
  const closed = objects.map((type) => {
    const own = type.interfaces?.flatMap((name) => declared.get(name) ?? []);
    return own === undefined ? type : joinFields(type, own);
  });
  const objectsOf = new Map<string, GqlObjectType[]>();
  for (const type of closed) {
    for (const name of type.interfaces ?? []) {
      appendTo(objectsOf, name, type);
    }
  }
  return {
    ...types,
    objects: closed,
    interfaces: interfaces.map((type) => joinFields(type, objectsOf.get(type.name) ?? [])),
  };
}

/** The type, whose fields demand what the fields of the same name in other types demand, too. */
function joinFields(type: GqlObjectType, others: readonly GqlObjectType[]): GqlObjectType {
  const demands = new Map<string, GqlAccess>();
  for (const { fields } of others) {
    for (const field of fields) {
      if (field.auth !== undefined) demands.set(field.name, joinAccess(demands.get(field.name) ?? {}, field));
    }
  }
  if (demands.size === 0) return type;
  const fields = type.fields.map((field): GqlField => {
    const demand = demands.get(field.name);
    return demand === undefined ? field : { ...field, ...accessOf(joinAccess(field, demand)) };
  });
  return { ...type, fields };
}
