import { patternOf, readPattern } from '../../base/pattern/pattern.js';
import type { CharacterSet, PatternTree } from '../../base/pattern/pattern-tree.js';
import { remember } from '../graph/maps.js';

/**
 * A short text that a pattern matches; undefined if none was found, or the pattern is large. It takes the first alternative, the fewest
 * repetitions and other characters of a class one after another: `^[A-Z]{3}-\d{2}$` gives `ABC-45`. Lookarounds are
 * left out, so the text is tried at the end.
 */
export function patternSample(source: string): string | undefined {
  if (!isForExamples(source)) return undefined;
  const { tree, test } = patternOf(source);
  const sample = new Sampler().text(tree);
  return sample.length <= longest && test(sample) ? sample : undefined;
}

/** Whether examples are tried with a pattern: with a larger one they would cost more than they are worth. */
export function isForExamples(source: string | undefined): boolean {
  const reading = source === undefined ? undefined : readPattern(source);
  return reading?.ok === true && reading.pattern.size <= largest;
}

const largest = 5000;

const longest = 1000;

/** The size of a pattern is limited, so the number of its parts that are read is, too. */
class Sampler {
  /** The number of characters that were taken from classes. */
  #taken = 0;
  readonly #characters = new Map<CharacterSet, string>();

  text(tree: PatternTree): string {
    switch (tree.kind) {
      case 'set':
        return this.#from(tree.set);
      case 'sequence':
        return this.#joined(tree.parts.length, (at) => tree.parts[at]);
      case 'choice':
        return this.text(tree.options[0] as PatternTree);
      case 'repeat':
        return this.#joined(tree.least, () => tree.of);
      default:
        return '';
    }
  }

  #joined(count: number, part: (at: number) => PatternTree | undefined): string {
    let text = '';
    for (let at = 0; at < count && text.length <= longest; at++) text += this.text(part(at) as PatternTree);
    return text;
  }

  #from(set: CharacterSet): string {
    if (set.source !== '.' && [...set.source].length === 1) return set.source;
    const characters = remember(this.#characters, set, () => charactersOf(set));
    return characters === '' ? '' : (characters[this.#taken++ % characters.length] as string);
  }
}

function charactersOf(set: CharacterSet): string {
  const all = set.source === '.' ? 'abc' : printable;
  return [...all].filter((character) => set.has(character.codePointAt(0) as number)).join('');
}

const printable =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_.:/ @#+*!?&%$=,;~\'"()[]{}<>|\\^`\t\n';
