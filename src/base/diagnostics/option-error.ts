/** An option that is wrong, of a program or of a module. The project file reports it by the same words. */
export class OptionError extends TypeError {
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
