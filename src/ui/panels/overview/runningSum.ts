/**
 * A sum from which amounts can be subtracted again. What rounding loses is summed separately (Neumaier's algorithm), so rounding errors do not add
 * up, however often amounts come and go.
 */
export class RunningSum {
  #sum = 0;
  #lost = 0;
  #count = 0;
  /** Number of amounts other than zero. */
  #nonZero = 0;

  /** Number of amounts in the sum. */
  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.#sum + this.#lost;
  }

  /** @param amount finite */
  add(amount: number): void {
    this.#put(amount, 1);
  }

  /** @param amount one that was added */
  remove(amount: number): void {
    this.#put(-amount, -1);
  }

  #put(amount: number, change: 1 | -1): void {
    this.#count += change;
    if (amount === 0) {
      return;
    }
    this.#nonZero += change;
    if (this.#nonZero === 0) {
      this.#sum = this.#lost = 0;
      return;
    }
    const before = this.#sum;
    this.#sum += amount;
    this.#lost += Math.abs(before) >= Math.abs(amount) ? before - this.#sum + amount : amount - this.#sum + before;
  }
}
