import type { Address } from '../../solana/address';
import type { WireTransaction } from '../../solana/wire';
import type { Chain } from '../chain/types';

/** What the methods of Solana's JSON-RPC need: a chain, and whoever moves the world that it is in. */
export interface RpcNode {
  readonly chain: Chain;
  /** Whose lamports airdrops are. */
  readonly faucet: Address;
  /** Brings the world up to the present, and commits that; called once before each request is answered. */
  advance(): void;
  /** Does what landing the transaction would do beyond the VM; for simulating. @throws EffectError where the market refuses. */
  applyEffects(transaction: WireTransaction, index: number): void;
  /** Commits what a method changed; called before that is answered. */
  commit(): void;
}
