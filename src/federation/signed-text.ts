/**
 * What of a record its signatures cover, as canonical text. It is cut out of the canonical text of the record's
 * envelope, of which the shape was checked: to write again what was read costs as much as to hash it.
 */
export const signedText = {
  /** All of a chain but its signatures and its witness head, the last of its members. */
  chain: (envelope: string): string => cut(envelope, 'signatures'),

  /** The witness head without its digest and its signature, but with the chain that it stands in. */
  witnessHead(envelope: string, chainId: string): string {
    const witness = envelope.slice(envelope.lastIndexOf(witnessKey) + witnessKey.length, -1);
    const content = cut(cut(witness, 'digest', 'epoch'), 'signature', 'witnessId');
    return `{"chainId":${JSON.stringify(chainId)},${content.slice(1)}`;
  },

  /** All of a route but its digest and its signatures. */
  route: (envelope: string): string => cut(cut(envelope, 'digest', 'epoch'), 'signatures', 'toChainId'),

  /** All of a revocation but its signatures. */
  revocation: (envelope: string): string => cut(envelope, 'signatures', 'subject'),
};

const witnessKey = '"witnessHead":';

/**
 * Takes out of an object what stands from one member up to another; without the other, to the end. A name between
 * quotes with a colon behind it is a key wherever it is found: inside of a string a quote has a backslash before it.
 */
function cut(text: string, from: string, to?: string): string {
  const start = text.indexOf(`"${from}":`);
  return to === undefined
    ? `${text.slice(0, start - 1)}}`
    : text.slice(0, start) + text.slice(text.indexOf(`"${to}":`, start));
}
