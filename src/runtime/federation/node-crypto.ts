import { hash } from 'node:crypto';
import type { Sha256 } from '../../projection/federation/encoding.js';

/** SHA-256 of some bytes. */
export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');
