import type { Address } from '../solana/address';
import { dammPositionNftAccount } from '../solana/derive';
import type { PositionFact } from '../review/facts';
import { dammPositionFact, dammPositionState, dlmmPositionFact, POSITION_PREFIX_BYTES } from '../review/positionState';
import type { SolanaRpc } from '../rpc/types';
import { TOKEN_ACCOUNT_PREFIX_BYTES } from './tokenFacts';

/**
 * Asks whose positions are, at the commitment *finalized*. Addresses where there is no position, or none that can be read, are not among
 * the answers. What is not final may be undone, and somebody else's opening may take its place.
 * @throws RpcError where the RPC does not answer.
 */
export async function readPositions(addresses: readonly Address[], rpc: SolanaRpc, signal: AbortSignal): Promise<ReadonlyMap<Address, PositionFact>> {
  const facts = new Map<Address, PositionFact>();
  if (addresses.length === 0) {
    return facts;
  }
  const { value: accounts } = await rpc.accounts({ addresses, firstBytes: POSITION_PREFIX_BYTES, isFinal: true }, { signal });
  const products = addresses.flatMap((position, at) => {
    const account = accounts[at];
    const fact = account && dlmmPositionFact(account);
    if (fact !== undefined) {
      facts.set(position, fact);
    }
    const state = account && dammPositionState(account);
    return state === undefined ? [] : [{ position, state, nftAccount: dammPositionNftAccount(state.nftMint) }];
  });
  if (products.length > 0) {
    const { value: holders } = await rpc.accounts({ addresses: products.map(({ nftAccount }) => nftAccount), firstBytes: TOKEN_ACCOUNT_PREFIX_BYTES, isFinal: true }, { signal });
    products.forEach(({ position, state }, at) => {
      const holder = holders[at];
      const fact = holder && dammPositionFact(state, holder);
      if (fact !== undefined) {
        facts.set(position, fact);
      }
    });
  }
  return facts;
}
