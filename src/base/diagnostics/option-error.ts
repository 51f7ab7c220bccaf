const mark: unique symbol = Symbol.for('gg-svc.OptionError');

/** An option that is wrong, of a program or of a module. The project file reports it by the same words. */
export class OptionError extends TypeError {
  /** Also true for errors of another copy: the command line and the library are two bundles. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof TypeError && mark in value;
  }

  get [mark](): true {
    return true;
  }
  readonly #option: string;
  readonly #expected: string;

  /**
   * @param option - `cors.origins`, `hooks[0].onRequest`
   * @param expected - What the option must: `be a list of origins`.
   */
  constructor(option: string, expected: string, message = `${option} must ${expected}.`) {
    super(message);
    this.#option = option;
    this.#expected = expected;
  }

  get option(): string {
    return this.#option;
  }

  get expected(): string {
    return this.#expected;
  }
}
