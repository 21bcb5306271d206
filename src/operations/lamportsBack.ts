import type { OperationJournal, OperationRecord } from './journal/types';
import type { SolanaRpc } from '../rpc/types';
import type { Address } from '../solana/address';
import { wasSubmitted } from './signedAttempts';

/** How long the RPC may take: it is a figure for the user, and nothing waits for it longer. */
const RPC_BUDGET_MS = 2_000;
/** Later than that, other things have come and gone in the wallet. */
const MEASURED_WITHIN_MS = 600_000;

/** The owner's SOL; `undefined` where there is no RPC, or it does not say. Never rejects. */
export async function lamportsOf(owner: Address, rpc: SolanaRpc | undefined): Promise<bigint | undefined> {
  if (rpc === undefined) {
    return undefined;
  }
  try {
    const { value } = await rpc.accounts({ addresses: [owner], firstBytes: 0 }, { signal: AbortSignal.timeout(RPC_BUDGET_MS) });
    return value[0]?.lamports ?? 0n;
  } catch {
    return undefined;
  }
}

/**
 * SOL that a zap-out brought, measured: what the owner has now beyond what there was right before it was sent. `undefined` where
 * that cannot be told: something else was sent for the wallet meanwhile, or it is too long ago. Never rejects.
 */
export async function lamportsBack(record: OperationRecord, journal: OperationJournal, rpc: SolanaRpc | undefined, nowMs: number): Promise<bigint | undefined> {
  const { id, created, events } = record;
  const submitted = events.find((event) => event.kind === 'submitted');
  const before = submitted?.lamportsBefore;
  const ageMs = nowMs - (submitted?.atMs ?? 0);
  if (before === undefined || submitted === undefined || created.operation !== 'zapOut' || !(ageMs >= 0 && ageMs <= MEASURED_WITHIN_MS)) {
    return undefined;
  }
  const after = await lamportsOf(created.owner, rpc);
  const records = await journal.read().then((read) => read.records, () => undefined);
  const isMixed = records?.some((other) => other.id !== id && other.created.owner === created.owner && wasSubmitted(other) && other.updatedAtMs >= submitted.atMs) ?? true;
  return after === undefined || isMixed || after < before ? undefined : after - before;
}
