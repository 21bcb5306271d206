import type { PlannedWithdrawal } from '../../engine/build/ports';
import { EngineError } from '../../engine/engine';
import type { BuildContext } from '../market/engine/buildContext';
import { wholeTokens } from '../market/units';
import type { Market, PoolToken, Position } from '../market/types';

/** Attacks of a hostile service; src/sandbox/README.md describes each. */
export const ATTACKS = [
  'sendSol',
  'tokenAuthority',
  'plantedAccount',
  'unknownProgram',
  'wrongPosition',
  'overspend',
  'splitOpening',
  'sellForDust',
  'sellWrappedSol',
  'anyPrice',
  'depositOwnTokens',
] as const;
/** One of {@link ATTACKS}. */
export type Attack = (typeof ATTACKS)[number];

/** A token and a raw amount of it. */
export interface TokenHolding {
  readonly token: PoolToken;
  readonly raw: bigint;
}

/** The most valuable holding; `undefined` if all are empty. */
export function richestOf({ market }: Pick<BuildContext, 'market'>, holdings: readonly TokenHolding[]): TokenHolding | undefined {
  const usdOf = ({ token, raw }: TokenHolding): number => wholeTokens(raw, token) * market.usd(token);
  return holdings.filter(({ raw }) => raw > 0n).sort((one, other) => usdOf(other) - usdOf(one))[0];
}

/**
 * Another open position of the same owner: in the same pool if there is one, else in a pool of the same type.
 * @throws EngineError if there is none.
 */
export function wrongPosition({ positions }: Market, { position }: Pick<PlannedWithdrawal, 'position'>): Readonly<Position> {
  const right = positions.at(position);
  if (right === undefined) {
    throw new RangeError(`There is no position ${position}`);
  }
  const others = positions.openOf(right.owner).filter(({ address, type }) => address !== right.address && type === right.type);
  const wrong = others.find(({ pool }) => pool === right.pool) ?? others[0];
  if (wrong === undefined) {
    throw new EngineError('invalid', 'The attack wrongPosition needs a second open position of the owner in a pool of the same type');
  }
  return wrong;
}
