import type { TestClient } from '../sandbox/client';
import type { AllowedNulls } from './differences';

/** Names of the two types of pools on the wire. */
export const PROTOCOLS = ['meteora', 'meteora_damm_v2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * An engine behind the service's interface, with a world in it. The owner has an open position of each protocol and at least four closed ones.
 * Each of the two pools has at least four positions of several owners, open and closed ones.
 */
export interface EngineUnderTest {
  /** Signs with the owner's key. */
  readonly client: TestClient;
  readonly pools: Readonly<Record<Protocol, string>>;
  /** Another owner of a position in the pool with bins. */
  readonly provider: string;
  /** Symbol of a token that some pools trade, in lower case, and how many pools are listed at least. */
  readonly symbol: string;
  readonly leastPools: number;
  readonly nulls: AllowedNulls;
}
