import { type Address, addressFromBytes } from '../../base/solana/address';
import { WireError, WireReader } from '../../base/solana/wireReader';
import type { PoolProgram, TokenAmounts } from './types';

/**
 * What the programs say about positions, in their own events. Both emit them by calling themselves (Anchor's `emit_cpi!`), so they are inner
 * instructions: this tag, the event's discriminator (the first eight bytes of sha256("event:" + name)), then its fields in Borsh.
 * Only the program itself can sign such a call. Sources: the IDLs of lb_clmm 0.12.0 and cp_amm 0.2.5; the two that cp_amm wrote before
 * `EvtLiquidityChange` are from MeteoraAg/damm-v2.
 */
export type ProgramEvent =
  | { readonly kind: 'create' | 'close'; readonly position: Address; readonly pool: Address | undefined; readonly owner: Address }
  | {
      readonly kind: 'deposit' | 'withdrawal';
      readonly position: Address;
      readonly pool: Address;
      /** Who paid or received: usually the owner. */
      readonly by: Address;
      readonly amounts: TokenAmounts;
      readonly price: PriceTrace;
    }
  | {
      readonly kind: 'feeClaim';
      readonly position: Address;
      readonly pool: Address;
      readonly owner: Address;
      readonly amounts: TokenAmounts;
      readonly price: PriceTrace;
      /** Of two events with the same figures (`ClaimFee`, `ClaimFee2`) one is counted. */
      readonly isOlderForm: boolean;
    }
  | {
      readonly kind: 'rebalance';
      readonly position: Address;
      readonly pool: Address;
      readonly owner: Address;
      readonly withdrawn: TokenAmounts;
      readonly fees: TokenAmounts;
      readonly added: TokenAmounts;
      readonly price: PriceTrace;
      readonly range: { readonly lowerBinId: number; readonly upperBinId: number };
    }
  /** Bins that were added at the two ends; negative: removed. */
  | { readonly kind: 'resize'; readonly position: Address; readonly pool: Address; readonly lower: number; readonly upper: number }
  /** A new pool with a first position in it, which the event does not name. */
  | {
      readonly kind: 'poolWithDeposit';
      readonly pool: Address;
      readonly by: Address;
      readonly amounts: TokenAmounts;
      readonly price: PriceTrace;
    }
  /** Liquidity moved between positions: the sums of both say nothing any more. */
  | { readonly kind: 'split'; readonly pool: Address; readonly positions: readonly Address[] };

/** What an event tells of the price: the active bin, or amounts for liquidity. */
export interface PriceTrace {
  readonly activeBinId?: number;
  /** DAMM v2: raw liquidity, and the amounts that the pool has for it, transfer fees deducted. */
  readonly curve?: TokenAmounts & { readonly liquidity: bigint };
}

/** An event that is listed here has other fields than its layout: a later version of the program wrote it. */
export class EventError extends Error {
  override readonly name = 'EventError';
}

type Read = (reader: EventFields) => ProgramEvent;

const EVENT_TAG = 'e445a52e51cb9a1d';
const TAG_BYTES = 8;
const NOTHING: PriceTrace = {};
/** `change_type` of `EvtLiquidityChange`, and `side` of the events that resize. */
const [ADDED, REMOVED] = [0, 1];
const [LOWER, UPPER] = [0, 1];

/** The fields of an event, in order. */
class EventFields {
  readonly #reader: WireReader;
  readonly #length: number;

  constructor(data: Uint8Array) {
    this.#reader = new WireReader(data);
    this.#length = data.length;
  }

  key(): Address {
    return addressFromBytes(this.#reader.take(32));
  }

  u8(): number {
    return this.#reader.uint(1);
  }

  u16(): number {
    return this.#reader.uint(2);
  }

  i32(): number {
    return this.#reader.uint(4) | 0;
  }

  u64(): bigint {
    return this.#reader.uint64();
  }

  u128(): bigint {
    const low = this.u64();
    return low + (this.u64() << 64n);
  }

  pair(): TokenAmounts {
    return { x: this.u64(), y: this.u64() };
  }

  skip(bytes: number): void {
    this.#reader.take(bytes);
  }

  skipRest(): void {
    this.skip(this.#length - this.#reader.offset);
  }

  get atEnd(): boolean {
    return this.#reader.offset === this.#length;
  }
}

const DLMM_EVENTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  // PositionCreate
  ['908efc549d352579', (fields) => ({ kind: 'create', pool: fields.key(), position: fields.key(), owner: fields.key() })],
  // PositionClose
  ['ffc4106b1cca3580', (fields) => ({ kind: 'close', position: fields.key(), owner: fields.key(), pool: undefined })],
  // AddLiquidity
  ['1f5e7d5ae3343dba', (fields) => binLiquidity('deposit', fields)],
  // RemoveLiquidity
  ['74f461e8671f983a', (fields) => binLiquidity('withdrawal', fields)],
  // ClaimFee
  ['4b7a9a308c4a7ba3', (fields) => binFees(true, fields)],
  // ClaimFee2
  ['e8abf2613a4d232d', (fields) => binFees(false, fields)],
  // Rebalancing
  ['006d75b33d5bc7c8', rebalancing],
  // IncreasePositionLength
  ['9def2acc1e38df2e', (fields) => resize(1, fields)],
  // DecreasePositionLength
  ['3476eb55aca90f80', (fields) => resize(-1, fields)],
]);

const DAMM_EVENTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  // EvtCreatePosition
  ['9c0f77c61db5dd37', (fields) => productPosition('create', fields)],
  // EvtClosePosition
  ['149190448f8ed6b2', (fields) => productPosition('close', fields)],
  // EvtLiquidityChange
  ['c5ab4e7fe0d3570d', liquidityChange],
  // EvtAddLiquidity
  ['aff2089d1ef7b9a9', (fields) => olderLiquidity('deposit', fields)],
  // EvtRemoveLiquidity
  ['572e5862af60225b', (fields) => olderLiquidity('withdrawal', fields)],
  // EvtClaimPositionFee
  [
    'c6b6b734610c3138',
    (fields) => ({
      kind: 'feeClaim',
      pool: fields.key(),
      position: fields.key(),
      owner: fields.key(),
      amounts: fields.pair(),
      price: NOTHING,
      isOlderForm: false,
    }),
  ],
  // EvtInitializePool
  ['e432f655cb428625', initializedPool],
  // EvtSplitPosition, EvtSplitPosition2, EvtSplitPosition3
  ['b68a2afe1b5e52dd', split],
  ['a520cbae4864e967', split],
  ['e875beda55a2cf4e', split],
]);

const EVENTS: Readonly<Record<PoolProgram, ReadonlyMap<string, Read>>> = { dlmm: DLMM_EVENTS, damm: DAMM_EVENTS };

/**
 * Decodes the data of an inner instruction.
 * @returns `undefined` if it is not an event, or one that says nothing about positions
 * @throws EventError if it is a listed event with other fields
 */
export function decodeEvent(program: PoolProgram, data: Uint8Array): ProgramEvent | undefined {
  if (!isEvent(data)) {
    return undefined;
  }
  const discriminator = hex(data.subarray(TAG_BYTES, 2 * TAG_BYTES));
  const read = EVENTS[program].get(discriminator);
  if (read === undefined) {
    return undefined;
  }
  const fields = new EventFields(data.subarray(2 * TAG_BYTES));
  let event: ProgramEvent;
  try {
    event = read(fields);
  } catch (cause) {
    throw cause instanceof WireError ? new EventError(`An event ${discriminator} is cut short`, { cause }) : cause;
  }
  if (!fields.atEnd) {
    throw new EventError(`An event ${discriminator} is longer than its fields`);
  }
  return event;
}

/** Returns whether the data of an inner instruction is an event. */
export function isEvent(data: Uint8Array): boolean {
  return data.length >= 2 * TAG_BYTES && hex(data.subarray(0, TAG_BYTES)) === EVENT_TAG;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function binLiquidity(kind: 'deposit' | 'withdrawal', fields: EventFields): ProgramEvent {
  const [pool, by, position, amounts] = [fields.key(), fields.key(), fields.key(), fields.pair()];
  return { kind, pool, by, position, amounts, price: { activeBinId: fields.i32() } };
}

function binFees(isOlderForm: boolean, fields: EventFields): ProgramEvent {
  const [pool, position, owner, amounts] = [fields.key(), fields.key(), fields.key(), fields.pair()];
  return { kind: 'feeClaim', pool, position, owner, amounts, price: isOlderForm ? NOTHING : { activeBinId: fields.i32() }, isOlderForm };
}

function rebalancing(fields: EventFields): ProgramEvent {
  const [pool, position, owner, activeBinId] = [fields.key(), fields.key(), fields.key(), fields.i32()];
  const [xWithdrawn, xAdded, yWithdrawn, yAdded] = [fields.u64(), fields.u64(), fields.u64(), fields.u64()];
  const fees = fields.pair();
  // The range before.
  fields.skip(8);
  const range = { lowerBinId: fields.i32(), upperBinId: fields.i32() };
  // Rewards.
  fields.skip(16);
  return {
    kind: 'rebalance',
    pool,
    position,
    owner,
    withdrawn: { x: xWithdrawn, y: yWithdrawn },
    fees,
    added: { x: xAdded, y: yAdded },
    price: { activeBinId },
    range,
  };
}

function resize(sign: 1 | -1, fields: EventFields): ProgramEvent {
  const [pool, position] = [fields.key(), fields.key()];
  fields.key();
  const [length, side] = [fields.u16(), fields.u8()];
  if (side !== LOWER && side !== UPPER) {
    throw new EventError(`A position was resized at side ${side}`);
  }
  return { kind: 'resize', pool, position, lower: side === LOWER ? sign * length : 0, upper: side === UPPER ? sign * length : 0 };
}

function productPosition(kind: 'create' | 'close', fields: EventFields): ProgramEvent {
  const event = { kind, pool: fields.key(), owner: fields.key(), position: fields.key() };
  // The mint of the position's NFT.
  fields.key();
  return event;
}

function liquidityChange(fields: EventFields): ProgramEvent {
  const [pool, position, by] = [fields.key(), fields.key(), fields.key()];
  const net = fields.pair();
  const gross = fields.pair();
  // Reserves.
  fields.skip(16);
  const liquidity = fields.u128();
  // Thresholds.
  fields.skip(16);
  const change = fields.u8();
  if (change !== ADDED && change !== REMOVED) {
    throw new EventError(`Liquidity changed in the way ${change}`);
  }
  // With transfer fees: what an owner paid is more than what arrived, what left the pool is more than what the owner got.
  const isDeposit = change === ADDED;
  const curve = { ...(isDeposit ? net : gross), liquidity };
  return { kind: isDeposit ? 'deposit' : 'withdrawal', pool, position, by, amounts: gross, price: { curve } };
}

function olderLiquidity(kind: 'deposit' | 'withdrawal', fields: EventFields): ProgramEvent {
  const [pool, position, by, liquidity] = [fields.key(), fields.key(), fields.key(), fields.u128()];
  // Thresholds.
  fields.skip(16);
  const moved = fields.pair();
  return { kind, pool, position, by, amounts: kind === 'deposit' ? fields.pair() : moved, price: { curve: { ...moved, liquidity } } };
}

function initializedPool(fields: EventFields): ProgramEvent {
  const [pool] = [fields.key(), fields.key(), fields.key()];
  const by = fields.key();
  // Payer and alpha vault.
  fields.skip(64);
  skipPoolFees(fields);
  // Bounds of the price, type of activation, mode of fees.
  fields.skip(16 + 16 + 1 + 1);
  const liquidity = fields.u128();
  // Price, activation, flags of the tokens.
  fields.skip(16 + 8 + 1 + 1);
  const moved = fields.pair();
  const amounts = fields.pair();
  fields.u8();
  return { kind: 'poolWithDeposit', pool, by, amounts, price: { curve: { ...moved, liquidity } } };
}

/** `PoolFeeParameters`, whose last part is optional. */
function skipPoolFees(fields: EventFields): void {
  fields.skip(27 + 2 + 1);
  if (fields.u8() !== 0) {
    fields.skip(2 + 16 + 2 + 2 + 2 + 4 + 4);
  }
}

function split(fields: EventFields): ProgramEvent {
  const pool = fields.key();
  fields.skip(64);
  const positions = [fields.key(), fields.key()];
  fields.skipRest();
  return { kind: 'split', pool, positions };
}
