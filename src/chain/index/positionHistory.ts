import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { AddressText } from '../rpc/addressText';
import { priceOfBin } from '../../base/dlmm/bins';
import { STRATEGIES } from '../../base/dlmm/strategy';
import type { SqliteStore } from '../../engine/store/sqliteStore';
import type { IndexedEvent, IndexedPosition, PositionFilter } from './types';

const Whole = z.int();
const Amount = z
  .string()
  .regex(/^\d{1,40}$/)
  .transform((text) => BigInt(text));

const PositionRow = z.object({ address: AddressText, program: z.enum(['dlmm', 'damm']), pool: AddressText, owner: AddressText });
type PositionRow = z.output<typeof PositionRow>;

const FactRow = z.object({
  kind: z.enum(['create', 'deposit', 'withdrawal', 'feeClaim', 'close', 'range', 'resize', 'strategy', 'operator', 'reward', 'unclear']),
  tx: Whole,
  number: Whole,
  pool: AddressText.nullable(),
  owner: z.string().nullable(),
  payer: z.string().nullable(),
  signature: z.string(),
  slot: Whole,
  /** Transactions of the slot before this one. */
  rank: Whole,
  block_time: Whole.nullable(),
  x: Amount.nullable(),
  y: Amount.nullable(),
  active_bin: Whole.nullable(),
  liquidity: Amount.nullable(),
  curve_x: Amount.nullable(),
  curve_y: Amount.nullable(),
  lower_bin: Whole.nullable(),
  upper_bin: Whole.nullable(),
  strategy: z.enum(STRATEGIES).nullable(),
});
type FactRow = z.output<typeof FactRow>;

/** The kinds of facts that are events of a position. */
const EVENT_KINDS: ReadonlySet<string> = new Set<IndexedEvent['kind']>(['create', 'deposit', 'withdrawal', 'feeClaim', 'close']);

function isEventKind(kind: string): kind is IndexedEvent['kind'] {
  return EVENT_KINDS.has(kind);
}

const PoolRow = z.object({ bin_step: Whole.nullable(), least_root: Amount.nullable(), most_root: Amount.nullable() });
/** What the prices of a pool depend on. */
type PoolRow = z.output<typeof PoolRow>;

/** A position as far as its facts are known. Whether they are all there depends on what else is listed. */
export interface KnownPosition extends Omit<IndexedPosition, 'complete'> {
  /** The transaction that created it, as the index numbers them; `undefined` if it is not known. */
  readonly creation: number | undefined;
  /** Its sums follow from its own events. */
  readonly isClear: boolean;
  /** Somebody else may act for its owner. */
  readonly hasOperator: boolean;
  /** The last slot with an event that names another owner or payer than its present owner. */
  readonly ofOthersUpToSlot: number | undefined;
}

/** Orders events: slots, 16,384 transactions in each, 256 facts in each. Below 2^53 for a century. */
const ORDERS_PER_SLOT = 2 ** 22;
const ORDERS_PER_TRANSACTION = 2 ** 8;
/** Amounts below this are too much rounded for a price. */
const LEAST_FOR_PRICE = 10_000n;
/** Prices by the two tokens of a deposit have to agree that well. */
const PRICE_TOLERANCE = 0.01;
const ROOT_BITS = 64;

export function positionRows(store: SqliteStore, { owner, pool, position }: PositionFilter): readonly PositionRow[] {
  const conditions = [
    // The row has the owner of the last life; the closing of an earlier one names its own.
    ...(owner === undefined
      ? []
      : [[`(owner = ?1 OR address IN (SELECT position FROM fact WHERE kind = 'close' AND owner = ?1))`, owner] as const]),
    ...(pool === undefined ? [] : [['pool = ?', pool] as const]),
    ...(position === undefined ? [] : [['address = ?', position] as const]),
  ];
  const where = conditions.map(([sql]) => sql).join(' AND ');
  return store.all(
    PositionRow,
    `SELECT address, program, pool, owner FROM position WHERE ${where}`,
    ...conditions.map(([, value]) => value),
  );
}

/** Reads the facts of a position and puts them together: one for each life of its address, the oldest first. */
export function knownPositions(store: SqliteStore, { address, program, pool, owner }: PositionRow): readonly KnownPosition[] {
  const facts = store.all(
    FactRow,
    `SELECT f.kind, f.tx, f.number, f.pool, f.owner, f.payer, t.signature, t.slot, t.block_time, f.x, f.y, f.active_bin, f.liquidity, f.curve_x, f.curve_y, f.lower_bin, f.upper_bin, f.strategy,
       (SELECT count(*) FROM chain_transaction o WHERE o.slot = t.slot AND (o.pass < t.pass OR (o.pass = t.pass AND o.place > t.place))) AS rank
     FROM fact f JOIN chain_transaction t ON t.id = f.tx WHERE f.position = ? ORDER BY t.slot, t.pass, t.place DESC, f.number`,
    address,
  );
  const lives = livesIn(facts);
  return lives.map((life, index): KnownPosition => {
    const isLast = index === lives.length - 1;
    return positionOf(store, life, {
      address,
      program,
      pool: life.find((fact) => fact.pool !== null)?.pool ?? pool,
      owner: isLast ? owner : (ownerIn(life) ?? owner),
    });
  });
}

/**
 * An account can be created again at the address of one that was closed: by the same key pair, or by `initialize_position_pda`. Everything up to a
 * closing is one life.
 */
function livesIn(facts: readonly FactRow[]): readonly (readonly FactRow[])[] {
  const lives: FactRow[][] = [[]];
  for (const fact of facts) {
    lives.at(-1)?.push(fact);
    if (fact.kind === 'close') {
      lives.push([]);
    }
  }
  // What is behind a closing without being an event belongs to nothing.
  return lives.filter((life, index) => index === 0 || life.some(({ kind }) => EVENT_KINDS.has(kind)));
}

function ownerIn(life: readonly FactRow[]): Address | undefined {
  const named = life.findLast(({ owner }) => owner !== null)?.owner ?? life.findLast(({ payer }) => payer !== null)?.payer;
  return named === null || named === undefined ? undefined : parseAddress(named);
}

function positionOf(store: SqliteStore, facts: readonly FactRow[], { address, program, pool, owner }: PositionRow): KnownPosition {
  const parameters = store.get(PoolRow, 'SELECT bin_step, least_root, most_root FROM pool WHERE address = ?', pool);
  // Bins of the transaction's other events: `ClaimFee` of older versions has none.
  const binOf = new Map(facts.flatMap(({ signature, active_bin: bin }) => (bin === null ? [] : [[signature, bin] as const])));
  let range: { readonly lowerBinId: number; readonly upperBinId: number } | undefined;
  let strategy: IndexedPosition['strategy'];
  for (const fact of facts) {
    range = rangeAfter(range, fact);
    strategy = fact.strategy ?? strategy;
  }
  const events = facts.flatMap((fact): readonly IndexedEvent[] => {
    const { kind, signature, slot, rank, number, block_time: blockTime, x, y } = fact;
    if (!isEventKind(kind)) {
      return [];
    }
    return [
      {
        kind,
        signature,
        slot,
        order: slot * ORDERS_PER_SLOT + rank * ORDERS_PER_TRANSACTION + Math.min(number, ORDERS_PER_TRANSACTION - 1),
        blockTimeS: blockTime ?? undefined,
        amounts: { x: x ?? 0n, y: y ?? 0n },
        rawPrice: parameters === undefined ? undefined : rawPriceOf(fact, parameters, binOf.get(signature)),
      },
    ];
  });
  return {
    address,
    program,
    pool,
    owner,
    range: program === 'dlmm' ? range : undefined,
    strategy,
    closed: events.at(-1)?.kind === 'close',
    hasClaimedRewards: facts.some(({ kind }) => kind === 'reward'),
    events,
    creation: facts.find(({ kind }) => kind === 'create')?.tx,
    isClear: facts.every(({ kind }) => kind !== 'unclear'),
    hasOperator: facts.some(({ kind }) => kind === 'operator'),
    ofOthersUpToSlot: facts.findLast((fact) => isOfOther(fact, owner))?.slot,
  };
}

function isOfOther({ owner: named, payer }: FactRow, owner: Address): boolean {
  return (named !== null && named !== owner) || (payer !== null && payer !== owner);
}

function rangeAfter(before: IndexedPosition['range'], { kind, lower_bin: lower, upper_bin: upper }: FactRow): IndexedPosition['range'] {
  if (lower === null || upper === null) {
    return before;
  }
  if (kind === 'range') {
    return { lowerBinId: lower, upperBinId: upper };
  }
  return before === undefined ? undefined : { lowerBinId: before.lowerBinId - lower, upperBinId: before.upperBinId + upper };
}

function rawPriceOf(
  fact: FactRow,
  { bin_step: binStep, least_root: least, most_root: most }: PoolRow,
  bin: number | undefined,
): number | undefined {
  const activeBin = fact.active_bin ?? bin;
  if (binStep !== null) {
    return activeBin === undefined ? undefined : priceInBin(activeBin, binStep);
  }
  const { liquidity, curve_x: x, curve_y: y } = fact;
  if (least === null || most === null || liquidity === null || liquidity === 0n || x === null || y === null) {
    return undefined;
  }
  return priceOfLiquidity(x, y, liquidity, Number(least) / 2 ** ROOT_BITS, Number(most) / 2 ** ROOT_BITS);
}

function priceInBin(binId: number, binStep: number): number | undefined {
  try {
    return priceOfBin(binId, binStep);
  } catch (error) {
    // The chain has no such bin: nothing is known.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The price at which so much liquidity takes these amounts: x = L (1/√P − 1/√Pmax), y = L (√P − √Pmin), with L in units of 2^64 and both
 * roots as fractions. Each token alone gives the price. `undefined` if they do not agree, as in pools of another curve, or if rounding hides it.
 */
function priceOfLiquidity(x: bigint, y: bigint, liquidity: bigint, leastRoot: number, mostRoot: number): number | undefined {
  const whole = Number(liquidity) / 2 ** ROOT_BITS;
  const byY = y < LEAST_FOR_PRICE ? undefined : (Number(y) / whole + leastRoot) ** 2;
  const byX = x < LEAST_FOR_PRICE ? undefined : (Number(x) / whole + 1 / mostRoot) ** -2;
  if (byX === undefined || byY === undefined) {
    return byX ?? byY;
  }
  return Math.abs(byX / byY - 1) < PRICE_TOLERANCE ? (x > y ? byX : byY) : undefined;
}
