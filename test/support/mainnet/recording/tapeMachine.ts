import { Buffer } from 'node:buffer';
import type { Address } from '../../../../src/base/solana/address';
import { RentRate } from '../../../../src/base/solana/rent';
import { SLOTS_PER_EPOCH } from '../../../../src/sandbox/chain/machine';
import type { ChainAccount, LoadedTransaction } from '../../../../src/sandbox/chain/types';
import type { Machine, Run } from '../chain/machine';
import { patched } from './accountPatch';
import { CLOCK, clockText, runKey, type Tape } from './tape';

/** `Clock`: slot, start of the epoch, epoch, epoch of the leader schedule, Unix time; 8 bytes each. */
const CLOCK_BYTES = 40;

/** A machine without programs and without a VM: it knows the results of the transactions on a tape. */
export class TapeMachine implements Machine {
  readonly #tape: Tape;
  readonly #accounts: Map<Address, Readonly<ChainAccount> | undefined>;
  #clock = '';

  constructor(tape: Tape) {
    this.#tape = tape;
    this.#accounts = new Map(tape.accounts);
  }

  setClock(slot: number, unixSeconds: number, slotMs: number): void {
    this.#clock = clockText(slot, unixSeconds, slotMs);
    const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
    const data = Buffer.alloc(CLOCK_BYTES);
    [slot, unixSeconds - Math.floor(((slot % SLOTS_PER_EPOCH) * slotMs) / 1_000), epoch, epoch + 1, unixSeconds].forEach((value, place) =>
      data.writeBigInt64LE(BigInt(value), place * 8),
    );
    const clock = this.#accounts.get(CLOCK);
    if (clock !== undefined) {
      this.#accounts.set(CLOCK, { ...clock, data: new Uint8Array(data) });
    }
  }

  minimumBalance(bytes: number): bigint {
    return RentRate.highest.minimumBalance(bytes);
  }

  read(of: Address): Readonly<ChainAccount> | undefined {
    return this.#accounts.get(of);
  }

  write(of: Address, account: Readonly<ChainAccount> | undefined): void {
    this.#accounts.set(of, account);
  }

  /** @throws Error if the tape has no such run */
  run(bytes: Uint8Array, wire: LoadedTransaction, checkSignatures: boolean): Run {
    const recorded = this.#tape.runs.get(runKey(bytes, wire, checkSignatures, this.#clock, (of) => this.read(of)));
    if (recorded === undefined) {
      throw new Error('The recording has no result for this transaction: record the suite again (test/support/mainnet/README.md)');
    }
    const after = new Map(recorded.after.map(([of, patch]) => [of, patched(this.read(of), patch)]));
    after.forEach((account, of) => this.write(of, account));
    return { ...recorded, after };
  }
}
