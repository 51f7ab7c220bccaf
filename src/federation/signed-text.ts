/** The signed content of each record, cut out of canonical text: serializing costs as much as hashing. */
export const signedText = {
  /** A chain without its signatures and its witness head, which is its last member. */
  chain: (envelope: string): string => cut(envelope, 'signatures'),

  /** The witness head without its digest and signature, and with the id of its chain. */
  witnessHead(envelope: string, chainId: string): string {
    const witness = envelope.slice(envelope.lastIndexOf(witnessKey) + witnessKey.length, -1);
    const content = cut(cut(witness, 'digest', 'epoch'), 'signature', 'witnessId');
    return `{"chainId":${JSON.stringify(chainId)},${content.slice(1)}`;
  },

  /** A route without its digest and signatures. */
  route: (envelope: string): string => cut(cut(envelope, 'digest', 'epoch'), 'signatures', 'toChainId'),

  /** A revocation without its signatures. */
  revocation: (envelope: string): string => cut(envelope, 'signatures', 'subject'),
};

const witnessKey = '"witnessHead":';

/**
 * Removes the members of an object from `from` up to `to`, or to the end. A quoted name with a colon after it is always
 * a key: inside a string, the quote would have a backslash before it.
 */
function cut(text: string, from: string, to?: string): string {
  const start = text.indexOf(`"${from}":`);
  return to === undefined
    ? `${text.slice(0, start - 1)}}`
    : text.slice(0, start) + text.slice(text.indexOf(`"${to}":`, start));
}
