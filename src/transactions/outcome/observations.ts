import type { OpenPosition } from '../../service/positions';
import type { PortfolioControl } from '../../portfolio/types';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../base/solana/address';
import type { OperationRecord } from '../journal/types';
import { evidenceOf, type Evidence } from './evidence';
import type { NetworkObservation } from './reconcile';
import { mayHideRecord } from './settlement';

/** How long the RPC may take for one operation. */
const RPC_BUDGET_MS = 8_000;
const STATUSES_BUDGET_MS = 2_000;

/**
 * What the network says of an operation that was sent; `undefined` where there is no RPC, or it does not say all of it. Never
 * rejects. The height is asked first: what is not known by then, at a height that is past the last one, is not going to be.
 */
export async function observeNetwork(
  { signatures, built }: OperationRecord,
  rpc: SolanaRpc | undefined,
  log: (message: string) => void,
): Promise<NetworkObservation | undefined> {
  if (rpc === undefined || built === undefined || signatures.length === 0) {
    return undefined;
  }
  const options = { signal: AbortSignal.timeout(RPC_BUDGET_MS) };
  try {
    const blockHeight = await rpc.blockHeight(options);
    const valid = await Promise.all(built.blockhashes.map((blockhash) => rpc.isBlockhashValid(blockhash, options)));
    const statuses = await rpc.signatureStatuses(signatures, options);
    return { blockHeight, isBlockhashValid: valid.length === 0 || valid.includes(true), statuses };
  } catch (error) {
    log(`The RPC ${rpc.name} does not say what became of an operation: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** What the network says of an operation's signatures, asked once; `undefined` where there is no RPC, or it does not say. Never rejects. */
export async function observeStatuses(
  { signatures }: OperationRecord,
  rpc: SolanaRpc | undefined,
): Promise<NetworkObservation['statuses'] | undefined> {
  if (rpc === undefined || signatures.length === 0) {
    return undefined;
  }
  return rpc.signatureStatuses(signatures, { signal: AbortSignal.timeout(STATUSES_BUDGET_MS) }).catch(() => undefined);
}

/** One listing of positions, as it stood when it had been read. */
export interface Listing {
  /** What it says of an operation; `unclear` also where records may be missing from it. */
  readonly evidence: (record: OperationRecord) => Evidence;
}

/** Reads the positions again; `undefined` where that failed, or the list is of another wallet or service. Never rejects. */
export async function readListing(portfolio: PortfolioControl, owner: Address, isInUse: () => boolean): Promise<Listing | undefined> {
  const read = await readOwn(portfolio, owner, isInUse);
  return read && { evidence: (record) => (read.isClean ? evidenceOf(record, read.positions) : 'unclear') };
}

/** Reads the positions again, all of them; `undefined` also where records may be missing from the list. Never rejects. */
export async function readPositions(
  portfolio: PortfolioControl,
  owner: Address,
  isInUse: () => boolean,
): Promise<readonly OpenPosition[] | undefined> {
  const read = await readOwn(portfolio, owner, isInUse);
  return read?.isClean === true ? read.positions : undefined;
}

async function readOwn(
  portfolio: PortfolioControl,
  owner: Address,
  isInUse: () => boolean,
): Promise<{ readonly positions: readonly OpenPosition[]; readonly isClean: boolean } | undefined> {
  await portfolio.refresh('afterOperation', ['positions']);
  const { snapshot, oddities } = portfolio;
  if (snapshot.positionsState.kind !== 'ready' || snapshot.owner !== owner || !isInUse()) {
    return undefined;
  }
  return { positions: snapshot.positions, isClean: !oddities.some(mayHideRecord) };
}
