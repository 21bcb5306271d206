import { WRAPPED_SOL_MINT } from '../solana/programs';
import type { Address } from '../solana/address';
import type { OperationContext } from './context';
import { readTokenAccount } from './tokenAccountState';

/** What a simulation changes in the owner's wallet, raw units: an expectation at the prices of that slot, not a guarantee. */
export type SimulatedChange = ReadonlyMap<Address, bigint>;

/**
 * Gives what all transactions together change of each token of the owner, in the simulation; SOL with wrapped SOL, rent and fees in it.
 * @returns `undefined` where the simulation does not cover all of them, one would fail, or the wallet is not in it
 */
export function simulatedChange({ intent: { owner }, facts: { simulation }, owned, transactionCount }: OperationContext): SimulatedChange | undefined {
  const transactions = simulation?.transactions.slice(0, transactionCount) ?? [];
  const [first, last] = [transactions[0], transactions.at(-1)];
  const lamportsBefore = first?.before.get(owner)?.lamports;
  if (first === undefined || last === undefined || transactions.length < transactionCount || transactions.some(({ error }) => error !== undefined) || lamportsBefore === undefined) {
    return undefined;
  }
  const changes = new Map<Address, bigint>([[WRAPPED_SOL_MINT, (last.after.get(owner)?.lamports ?? 0n) - lamportsBefore]]);
  for (const account of new Set([...first.before.keys(), ...last.after.keys()])) {
    const [stateBefore, stateAfter] = [first.before.get(account), last.after.get(account)];
    const [before, after] = [stateBefore && readTokenAccount(stateBefore), stateAfter && readTokenAccount(stateAfter)];
    const mint = owned.mintOf(account) ?? (before?.owner === owner ? before.mint : undefined);
    if (mint !== undefined && account !== owner) {
      changes.set(mint, (changes.get(mint) ?? 0n) + (after?.amountRaw ?? 0n) - (before?.amountRaw ?? 0n));
    }
  }
  return changes;
}
