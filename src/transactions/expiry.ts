// Until when transactions may land. Solana counts that in blocks: a transaction lands up to the last valid height of its blockhash, 150 blocks
// after the blockhash. The length of a slot changes (400 ms until 2026, then 200 ms in steps: SIMD-0525), so the height decides where an RPC
// tells it. Without one the clock does, by bounds that hold for every length: what may land counts for the longest, what is sent for the shortest.

/**
 * How long after its build a transaction may still land, by the clock: 150 blocks of 0.8 s, twice the longest slot, as on a bad day. The last
 * valid block by the service is not used, since it may be wrong on purpose.
 */
export const MAY_LAND_MS = 120_000;

/** How long after its build an operation may still take effect, if only the clock decides: landing and listing take time as well. */
export const MAY_HAVE_EFFECT_MS = 300_000;

/** For this long after its build a transaction can certainly land, by the clock: 150 blocks of 200 ms, the shortest slot. */
const CERTAINLY_VALID_MS = 30_000;

/** Time that sending and landing take: transactions sent later than this before their expiry come too late. */
const LANDING_TAKES_MS = 2_000;

/** A younger blockhash may be unknown to the RPC only because it has not arrived there yet. */
export const KNOWN_EVERYWHERE_MS = 20_000;

/** Margin beyond the last valid block: the newest blocks may be dropped, and nodes differ in height. */
const MARGIN_BLOCKS = 32;

/** Less than any slot that Solana plans, and tolerance for heights: an RPC that is further ahead belongs to another network. */
const SHORTEST_BLOCK_MS = 100;
const MOST_BLOCKS_AHEAD = 2_000;

/**
 * How nodes, libraries and services name an expired or unknown blockhash: `TransactionError::BlockhashNotFound` of Agave and its text, the
 * errors of web3.js, and what providers make of them. There is no code for it that all of them use.
 */
const EXPIRED =
  /block ?hash.{0,20}(?:expired|not ?found|not known|not valid|no longer valid|invalid|too old)|(?:expired|invalid|unknown|old) block ?hash|block ?height ?(?:has been |is )?exceeded|transaction ?(?:is |has )?(?:expired|too ?old)/i;

/** Whether an error says that transactions have expired, not that they would fail. The errors of programs say nothing of that. */
export function isExpiryError(error: string): boolean {
  return EXPIRED.test(error) && !error.includes('InstructionError');
}

/** Transactions that were built together. */
export interface Lifetime {
  /** By the service; `undefined`: it didn't tell. */
  readonly lastValidBlockHeight: number | undefined;
  /** Milliseconds since the build; negative on a clock that was set back. */
  readonly ageMs: number;
}

/** What an RPC says about them. */
export interface ChainView {
  readonly blockHeight: bigint;
  /** Whether one of their blockhashes is still valid. */
  readonly isBlockhashValid: boolean;
}

/** Whether the RPC can belong to the network of the transactions: another one has another block height. */
export function isOfSameNetwork({ lastValidBlockHeight, ageMs }: Lifetime, { blockHeight }: Pick<ChainView, 'blockHeight'>): boolean {
  const lastValid = Math.ceil(lastValidBlockHeight ?? Number.NaN);
  return Number.isSafeInteger(lastValid) && Number(blockHeight) - lastValid <= Math.max(0, ageMs) / SHORTEST_BLOCK_MS + MOST_BLOCKS_AHEAD;
}

/**
 * Whether the chain proves that nothing of them can land any more: it is past their last valid block, and none of their blockhashes is valid.
 * The service's last valid block alone is not enough, since it may be wrong on purpose; an invalid blockhash alone is not either, since a node
 * that lags doesn't know it yet.
 * @returns `undefined` if this RPC can't tell
 */
export function hasExpired(lifetime: Lifetime, view: ChainView): boolean | undefined {
  if (!isOfSameNetwork(lifetime, view)) {
    return undefined;
  }
  return blocksLeft(lifetime, view.blockHeight) + MARGIN_BLOCKS < 0 && !view.isBlockhashValid && lifetime.ageMs >= KNOWN_EVERYWHERE_MS;
}

/**
 * Whether they can still land if they are sent now or after a wait. This only saves a request and a useless wait: sending the same bytes too
 * late does no harm, and the chain decides.
 * @param view `undefined` without an RPC: then the clock decides
 * @param waitMs not counted where the chain decides, since the slots to come have no known length: ask again meanwhile
 */
export function isWorthSending(lifetime: Lifetime, view: ChainView | undefined, waitMs = 0): boolean {
  const ageMs = Math.max(0, lifetime.ageMs);
  if (view === undefined || !isOfSameNetwork(lifetime, view)) {
    return ageMs + waitMs + LANDING_TAKES_MS < CERTAINLY_VALID_MS;
  }
  return blocksLeft(lifetime, view.blockHeight) > 0 && (view.isBlockhashValid || ageMs < KNOWN_EVERYWHERE_MS);
}

/**
 * About how long it takes until {@link hasExpired} can be true, milliseconds: an estimate for texts.
 * @param slotMs the length of a slot that was measured
 */
export function expiresInMs(lifetime: Lifetime, blockHeight: bigint, slotMs: number): number | undefined {
  return isOfSameNetwork(lifetime, { blockHeight })
    ? Math.max(0, (blocksLeft(lifetime, blockHeight) + MARGIN_BLOCKS + 1) * slotMs, KNOWN_EVERYWHERE_MS - lifetime.ageMs)
    : undefined;
}

/** Number of blocks in which they can still land; negative: past their last valid block. */
function blocksLeft({ lastValidBlockHeight }: Lifetime, blockHeight: bigint): number {
  return Math.ceil(lastValidBlockHeight ?? Number.NaN) - Number(blockHeight);
}
