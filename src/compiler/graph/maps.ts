/** Adds an item to the list of a key, which begins with it. */
export function appendTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The value of a key, which is made when it is asked for first. */
export function remember<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

/** A function that makes its value for each object once. */
export function perObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => remember(known, key, () => make(key));
}

/** A list with the value made from another; empty if that is undefined. */
export function ifGiven<Given, Made>(given: Given | undefined, make: (given: Given) => Made): readonly Made[] {
  return given === undefined ? [] : [make(given)];
}
