/** A node with this number of neighbours is a hub: what surrounds it is not its neighbourhood. */
export const hubSize = 12;
