import { EventError, type EventFields } from './eventFields';
import { type EventReader, NO_TRACE, type ProgramEvent } from './programEvent';

/** `change_type` of `EvtLiquidityChange`. */
const [ADDED, REMOVED] = [0, 1];

/** Readers of the events of cp_amm 0.2.5 (its IDL), by discriminator; the two before `EvtLiquidityChange` are from MeteoraAg/damm-v2. */
export const DAMM_EVENTS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
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
      price: NO_TRACE,
      isOlderForm: false,
    }),
  ],
  // EvtClaimReward
  ['da5693c8ebbcd7e7', rewardClaim],
  // EvtInitializePool
  ['e432f655cb428625', initializedPool],
  // EvtSplitPosition, EvtSplitPosition2, EvtSplitPosition3
  ['b68a2afe1b5e52dd', split],
  ['a520cbae4864e967', split],
  ['e875beda55a2cf4e', split],
]);

function productPosition(kind: 'create' | 'close', fields: EventFields): ProgramEvent {
  const event = { kind, pool: fields.key(), owner: fields.key(), position: fields.key() };
  // The mint of the position's NFT.
  fields.key();
  return event;
}

function rewardClaim(fields: EventFields): ProgramEvent {
  const [pool, position, owner] = [fields.key(), fields.key(), fields.key()];
  // Which of the pool's rewards: mint and number.
  fields.key();
  fields.u8();
  return { kind: 'rewardClaim', pool, position, owner, amount: fields.u64() };
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
