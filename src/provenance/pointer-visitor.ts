/**
 * Hears of each JSON Pointer into a document that stands for something of the schema, once each.
 *
 * @param coordinate - What it stands for; it may be of a layer.
 * @param other - The second operation of a path with two methods.
 */
export type PointerVisitor = (pointer: string, coordinate: string, other?: string) => void;
