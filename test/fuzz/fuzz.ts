import { createRandom, pick } from '../bench/random.js';
import { mutate } from './mutate.js';
import type { Seeds } from './seeds.js';
import { type Subject, subjects } from './subjects.js';

/** A text that a subject failed on. */
export interface Find {
  readonly seed: number;
  readonly subject: string;
  readonly text: string;
  readonly error: string;
}

/** What a run has done. */
export interface FuzzReport {
  /** How many texts each subject got. */
  readonly counts: ReadonlyMap<string, number>;
  readonly finds: readonly Find[];
}

/**
 * Gives mutated texts to the subjects in turn, so that the texts from one seed number to another are always the same.
 *
 * @param most - Ends after so many finds.
 */
export async function fuzz(seeds: Seeds, from: number, to: number, most = 20): Promise<FuzzReport> {
  const counts = new Map<string, number>();
  const finds: Find[] = [];
  for (let seed = from; seed < to && finds.length < most; seed++) {
    const subject = subjects[seed % subjects.length] as Subject;
    const random = createRandom(seed);
    const texts = seeds[subject.takes];
    const text = mutate(random, pick(texts, random), texts);
    counts.set(subject.name, (counts.get(subject.name) ?? 0) + 1);
    try {
      await subject.run(text, random);
    } catch (error) {
      finds.push({ seed, subject: subject.name, text, error: String((error as Error).stack ?? error) });
    }
  }
  return { counts, finds };
}
