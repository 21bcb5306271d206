import type { Address } from '../../../base/solana/address';
import { associatedTokenAddress } from '../../../base/solana/pda';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../base/solana/programs';
import type { MaliciousTransfer } from '../../build/types';
import { EngineError, type AddParameters, type Attack } from '../../../server/engine';
import { wholeTokens } from '../tokens';
import type { Market, Pool, PoolToken, Position } from '../types';
import { follow } from './exchange';
import { plantedAccount, STRANGER } from './plantedAccounts';
import { bestRoute, type Route } from './quotes';
import { requireLamports, type BuildContext } from './buildContext';

// A hostile service, played: what it builds lands like everything else, and does to a client that signs blindly what the
// attack says. All else of the operation is as honest as ever.

/** What is stolen of the owner's SOL where there is so much, lamports. */
const BOOTY = 5n * LAMPORTS_PER_SOL;
/** What the owner keeps at least; and the least that is worth stealing. */
const LEFT = LAMPORTS_PER_SOL / 100n;

/**
 * What the owner is to lose beside the operation, which costs at most `costsLamports` and needs accounts of the tokens `used`.
 * @throws EngineError where the owner has nothing that could be taken.
 */
export function theftOf(
  shop: BuildContext,
  attack: Attack | undefined,
  of: { readonly owner: Address; readonly costsLamports: bigint; readonly used: readonly PoolToken[] },
): MaliciousTransfer | undefined {
  const { owner, costsLamports, used } = of;
  switch (attack) {
    case 'sendSol': {
      requireLamports(shop, owner, costsLamports + 2n * LEFT);
      const spare = shop.chain.lamports(owner) - costsLamports - LEFT;
      return { kind: 'sendSol', to: STRANGER, lamports: spare < BOOTY ? spare : BOOTY };
    }
    case 'tokenAuthority':
      return { kind: 'tokenAuthority', to: STRANGER, account: associatedTokenAddress(owner, richestToken(shop, attack, owner, used).mint) };
    case 'plantedAccount': {
      const { mint } = richestToken(shop, attack, owner, used);
      return {
        kind: 'plantedAccount',
        from: associatedTokenAddress(owner, mint),
        to: plantedAccount(shop, owner, mint),
        amountRaw: shop.chain.tokenBalance(owner, mint),
      };
    }
    case 'wrongPosition':
    case 'overspend':
    case 'splitOpening':
    case 'sellForDust':
    case 'sellWrappedSol':
    case undefined:
      return undefined;
  }
}

/** Of the owner's tokens that the operation does not touch, the one that is worth most. */
function richestToken({ market, chain }: BuildContext, attack: Attack, owner: Address, used: readonly PoolToken[]): PoolToken {
  const untouched = market.tokens.filter(({ mint }) => mint !== WRAPPED_SOL_MINT && used.every((token) => token.mint !== mint));
  const held = untouched.map((token) => ({ token, raw: chain.tokenBalance(owner, token.mint) })).filter(({ raw }) => raw > 0n);
  const [richest] = held
    .map(({ token, raw }) => ({ token, usd: wholeTokens(raw, token) * market.usd(token) }))
    .sort((one, other) => other.usd - one.usd);
  if (richest === undefined) {
    throw new EngineError('invalid', `The attack ${attack} needs tokens of the owner that the operation has nothing to do with`);
  }
  return richest.token;
}

/**
 * Another open position of the same owner: of the same pool if there is one, else of the same type.
 * @throws EngineError where there is none.
 */
export function wrongPosition({ positions }: Market, right: Readonly<Position>): Readonly<Position> {
  const others = positions.openOf(right.owner).filter(({ address, type }) => address !== right.address && type === right.type);
  const wrong = others.find(({ pool }) => pool === right.pool) ?? others[0];
  if (wrong === undefined) {
    throw new EngineError('invalid', 'The attack wrongPosition needs a second open position of the owner in a pool of the same type');
  }
  return wrong;
}

/**
 * A second time the whole input, for a token of the pool; carried out, so that what is planned after it goes by the prices that
 * it leaves. @throws EngineError where there is no input of SOL, or no pools sell so much for it.
 */
export function secondSpend(market: Market, { tokenX, tokenY }: Pool, input: AddParameters['input']): Route {
  if (input.mode !== 'zap-in') {
    throw new EngineError('invalid', 'The attack overspend is one on zap-ins');
  }
  const { lamports } = input;
  const token = tokenX.mint === market.sol.mint ? tokenY : tokenX;
  const route = bestRoute(market, market.sol, token, lamports);
  if (route === undefined) {
    throw new EngineError('invalid', `The attack overspend finds no pools that give ${token.spec.symbol} for ${lamports} lamports`);
  }
  follow(market, route);
  return route;
}
