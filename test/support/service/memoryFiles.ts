import type { RequestFiles } from '../../../src/service/budget/requestLedger';

/** Files in memory, with the faults of real ones. */
export class MemoryFiles implements RequestFiles {
  readonly kept = new Map<string, Buffer>();
  /** Thrown by every call while it is set. */
  fault: Error | undefined;
  /** How often a file was read. */
  reads = 0;
  /** Called after a line was appended, before its window reads it. */
  onAppended: () => void = () => undefined;

  append(path: string, text: string): void {
    this.#check();
    this.kept.set(path, Buffer.concat([this.kept.get(path) ?? Buffer.alloc(0), Buffer.from(text)]));
    this.onAppended();
  }

  readFrom(path: string, offset: number): { readonly bytes: Buffer; readonly offset: number } | undefined {
    this.#check();
    this.reads += 1;
    const all = this.kept.get(path);
    const start = all === undefined || all.length < offset ? 0 : offset;
    return all === undefined ? undefined : { bytes: all.subarray(start), offset: start };
  }

  list(): readonly string[] {
    this.#check();
    return [...this.kept.keys()].map((path) => path.replace(/^.*[\\/]/, ''));
  }

  remove(path: string): void {
    this.kept.delete(path);
  }

  #check(): void {
    if (this.fault !== undefined) {
      throw this.fault;
    }
  }
}
