/**
 * Called once for each JSON Pointer into a document that belongs to an element of the schema.
 *
 * @param coordinate - The coordinate of the element, which may come from a layer.
 * @param other - The second operation of a path with two methods.
 */
export type PointerVisitor = (pointer: string, coordinate: string, other?: string) => void;
