import type { Address } from '../../base/solana/address';
import type { ApplyEffects, Chain, ChainAccount } from '../chain/types';

/** What the methods of Solana's JSON-RPC use: a chain and the world around it. */
export interface RpcNode {
  readonly chain: Chain;
  /** Whose lamports airdrops are. */
  readonly faucet: Address;
  /** An account: of the chain, or of a pool, which the market keeps. */
  account(of: Address): Readonly<ChainAccount> | undefined;
  /** Brings the world up to the present, and commits that; called once before each request is answered. */
  advance(): void;
  /** What landing these transactions, as they were given, would do beyond the VM; for simulating. */
  effectsOf(transactions: readonly Uint8Array[]): ApplyEffects;
  /** Commits what a method changed; called before that is answered. */
  commit(): void;
}
