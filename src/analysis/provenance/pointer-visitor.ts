/**
 * Called once for each JSON Pointer into a document that belongs to an element of the schema.
 *
 * @param coordinate - The coordinate of the element, which may come from a layer.
 * @param others - The other operations of a path with several methods.
 */
export type PointerVisitor = (pointer: string, coordinate: string, ...others: readonly string[]) => void;
