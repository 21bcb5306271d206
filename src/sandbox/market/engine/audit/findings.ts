/** What does not add up: sentences for a developer. */
export class Findings {
  readonly #sentences: string[] = [];

  get all(): readonly string[] {
    return this.#sentences;
  }

  /** Notes the sentence where something does not hold. */
  check(holds: boolean, sentence: () => string): void {
    if (!holds) {
      this.#sentences.push(sentence());
    }
  }

  /** Notes where two amounts that have to be the same are not. */
  same(what: string, is: bigint | number | string, shouldBe: bigint | number | string): void {
    this.check(is === shouldBe, () => `${what}: ${is} instead of ${shouldBe}`);
  }
}
