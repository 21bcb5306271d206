import { type Address, addressFromBytes } from '../solana/address';
import { PROGRAMS } from '../solana/programs';
import { WireReader } from '../solana/wireReader';

/** Raw amounts of a pool's first and second token. */
export interface PoolAmounts {
  readonly x: bigint;
  readonly y: bigint;
}

/** What a pool's program reports about a position in its own events. */
export type PoolEvent =
  /** `mint`: of the NFT that a DAMM v2 position is. */
  | { readonly kind: 'position'; readonly position: Address; readonly owner: Address; readonly mint?: Address }
  | {
      readonly kind: 'in' | 'out';
      readonly pool: Address;
      readonly position: Address;
      readonly by: Address;
      readonly amounts: PoolAmounts;
      /** What was paid for a deposit of which the program says what arrived. */
      readonly paid?: PoolAmounts;
      readonly activeBinId?: number;
    }
  | {
      readonly kind: 'fees';
      readonly pool: Address;
      readonly position: Address;
      readonly by: Address;
      readonly amounts: PoolAmounts;
      readonly activeBinId?: number;
      /** `ClaimFee`, which newer versions emit beside `ClaimFee2`. */
      readonly isOlderForm: boolean;
    }
  | {
      readonly kind: 'rebalance';
      readonly pool: Address;
      readonly position: Address;
      readonly by: Address;
      readonly out: PoolAmounts;
      readonly in: PoolAmounts;
      readonly fees: PoolAmounts;
      readonly activeBinId: number;
    }
  /** Something that no line of a ledger can say: tokens besides fees, liquidity that moved between positions, a pool that began with a deposit. */
  | { readonly kind: 'beyond'; readonly pool: Address };

/** Anchor's `emit_cpi!`: an inner instruction to itself, which only the program can sign, with this tag before the event's discriminator. */
const EVENT_TAG = 'e445a52e51cb9a1d';
const TAG_BYTES = 8;
/** `change_type` of `EvtLiquidityChange`: liquidity was added. */
const ADDED = 0;

type Read = (fields: Fields) => PoolEvent;

/** Events of lb_clmm 0.12.0 and cp_amm 0.2.5 (their IDLs), by program and discriminator: the first eight bytes of sha256("event:" + name). */
const EVENTS: ReadonlyMap<string, Readonly<Record<string, Read>>> = new Map<string, Readonly<Record<string, Read>>>([
  [
    PROGRAMS.dlmm,
    {
      // PositionCreate
      '908efc549d352579': (fields) => {
        fields.key();
        return { kind: 'position', position: fields.key(), owner: fields.key() };
      },
      // PositionClose
      ffc4106b1cca3580: (fields) => ({ kind: 'position', position: fields.key(), owner: fields.key() }),
      // AddLiquidity
      '1f5e7d5ae3343dba': (fields) => binLiquidity('in', fields),
      // RemoveLiquidity
      '74f461e8671f983a': (fields) => binLiquidity('out', fields),
      // ClaimFee
      '4b7a9a308c4a7ba3': (fields) => ({ ...fees(fields), isOlderForm: true }),
      // ClaimFee2
      e8abf2613a4d232d: (fields) => ({ ...fees(fields), activeBinId: fields.i32(), isOlderForm: false }),
      // ClaimReward, ClaimReward2
      '947486cc16ab555f': beyond,
      '1b8ff421502b6e92': beyond,
      // Rebalancing
      '006d75b33d5bc7c8': rebalancing,
    },
  ],
  [
    PROGRAMS.dammV2,
    {
      // EvtCreatePosition
      '9c0f77c61db5dd37': productPosition,
      // EvtClosePosition
      '149190448f8ed6b2': productPosition,
      // EvtLiquidityChange
      c5ab4e7fe0d3570d: liquidityChange,
      // EvtClaimPositionFee
      c6b6b734610c3138: (fields) => ({ ...fees(fields), isOlderForm: false }),
      // EvtClaimReward, EvtInitializePool, EvtAddLiquidity, EvtRemoveLiquidity (before 0.2), EvtSplitPosition, EvtSplitPosition2, EvtSplitPosition3
      da5693c8ebbcd7e7: beyond,
      e432f655cb428625: beyond,
      aff2089d1ef7b9a9: beyond,
      '572e5862af60225b': beyond,
      b68a2afe1b5e52dd: beyond,
      a520cbae4864e967: beyond,
      e875beda55a2cf4e: beyond,
    },
  ],
]);

/**
 * Decodes the data of an inner instruction.
 * @returns `undefined` if it is no event about liquidity, fees or the life of a position
 * @throws WireError if such an event is cut short
 */
export function readPoolEvent(program: string, data: Uint8Array): PoolEvent | undefined {
  const beginning = Array.from(data.subarray(0, 2 * TAG_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const read = beginning.startsWith(EVENT_TAG) ? EVENTS.get(program)?.[beginning.slice(2 * TAG_BYTES)] : undefined;
  return read?.(new Fields(data.subarray(2 * TAG_BYTES)));
}

function beyond(fields: Fields): PoolEvent {
  return { kind: 'beyond', pool: fields.key() };
}

function binLiquidity(kind: 'in' | 'out', fields: Fields): PoolEvent {
  const [pool, by, position, amounts] = [fields.key(), fields.key(), fields.key(), fields.pair()];
  return { kind, pool, by, position, amounts, activeBinId: fields.i32() };
}

function fees(fields: Fields): Omit<Extract<PoolEvent, { kind: 'fees' }>, 'isOlderForm'> {
  return { kind: 'fees', pool: fields.key(), position: fields.key(), by: fields.key(), amounts: fields.pair() };
}

function rebalancing(fields: Fields): PoolEvent {
  const [pool, position, by, activeBinId] = [fields.key(), fields.key(), fields.key(), fields.i32()];
  const [outX, inX, outY, inY] = [fields.u64(), fields.u64(), fields.u64(), fields.u64()];
  return { kind: 'rebalance', pool, position, by, activeBinId, out: { x: outX, y: outY }, in: { x: inX, y: inY }, fees: fields.pair() };
}

function productPosition(fields: Fields): PoolEvent {
  fields.key();
  const owner = fields.key();
  return { kind: 'position', owner, position: fields.key(), mint: fields.key() };
}

function liquidityChange(fields: Fields): PoolEvent {
  const [pool, position, by] = [fields.key(), fields.key(), fields.key()];
  // With transfer fees the first pair is what arrived, the second what was paid or left the pool.
  const [arrived, moved] = [fields.pair(), fields.pair()];
  // Reserves, liquidity, thresholds.
  fields.skip(16 + 16 + 16);
  const isDeposit = fields.u8() === ADDED;
  return {
    kind: isDeposit ? 'in' : 'out',
    pool,
    position,
    by,
    amounts: isDeposit ? arrived : moved,
    ...(isDeposit ? { paid: moved } : {}),
  };
}

/** The fields of an event, in order. */
class Fields {
  readonly #reader: WireReader;

  constructor(data: Uint8Array) {
    this.#reader = new WireReader(data);
  }

  key(): Address {
    return addressFromBytes(this.#reader.take(32));
  }

  u8(): number {
    return this.#reader.uint(1);
  }

  i32(): number {
    return this.#reader.uint(4) | 0;
  }

  u64(): bigint {
    return this.#reader.uint64();
  }

  pair(): PoolAmounts {
    return { x: this.u64(), y: this.u64() };
  }

  skip(bytes: number): void {
    this.#reader.take(bytes);
  }
}
