import { EventError, type EventFields } from './eventFields';
import { type EventReader, NO_TRACE, type ProgramEvent } from './programEvent';

/** `side` of the events that resize. */
const [LOWER, UPPER] = [0, 1];

/** Readers of the events of lb_clmm 0.12.0 (its IDL), by discriminator. */
export const DLMM_EVENTS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
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
  // ClaimReward and ClaimReward2, which come together
  ['947486cc16ab555f', (fields) => rewardClaim(fields)],
  ['1b8ff421502b6e92', (fields) => rewardClaim(fields, 4)],
  // Rebalancing
  ['006d75b33d5bc7c8', rebalancing],
  // IncreasePositionLength
  ['9def2acc1e38df2e', (fields) => resize(1, fields)],
  // DecreasePositionLength
  ['3476eb55aca90f80', (fields) => resize(-1, fields)],
]);

function binLiquidity(kind: 'deposit' | 'withdrawal', fields: EventFields): ProgramEvent {
  const [pool, by, position, amounts] = [fields.key(), fields.key(), fields.key(), fields.pair()];
  return { kind, pool, by, position, amounts, price: { activeBinId: fields.i32() } };
}

function binFees(isOlderForm: boolean, fields: EventFields): ProgramEvent {
  const [pool, position, owner, amounts] = [fields.key(), fields.key(), fields.key(), fields.pair()];
  return { kind: 'feeClaim', pool, position, owner, amounts, price: isOlderForm ? NO_TRACE : { activeBinId: fields.i32() }, isOlderForm };
}

function rebalancing(fields: EventFields): ProgramEvent {
  const [pool, position, owner, activeBinId] = [fields.key(), fields.key(), fields.key(), fields.i32()];
  const [xWithdrawn, xAdded, yWithdrawn, yAdded] = [fields.u64(), fields.u64(), fields.u64(), fields.u64()];
  const fees = fields.pair();
  // The range before.
  fields.skip(8);
  const range = { lowerBinId: fields.i32(), upperBinId: fields.i32() };
  const rewards = fields.pair();
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
    hasClaimedRewards: rewards.x > 0n || rewards.y > 0n,
  };
}

/** @param rest bytes behind the amount: the active bin */
function rewardClaim(fields: EventFields, rest = 0): ProgramEvent {
  const [pool, position, owner] = [fields.key(), fields.key(), fields.key()];
  // Which of the pool's rewards.
  fields.u64();
  const amount = fields.u64();
  fields.skip(rest);
  return { kind: 'rewardClaim', pool, position, owner, amount };
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
