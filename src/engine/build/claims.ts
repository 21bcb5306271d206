import { base64FromBytes } from '../../base/solana/wireTransaction';
import { buildClaim, type ClaimTransaction } from '../assembly/claims';
import type { BuildTerms, RewardAccounts } from '../assembly/types';
import { withoutTip } from '../assembly/walletInstructions';
import { type ClaimParameters, EngineError } from '../engine';
import type { WireClaim } from '../wire/transactions';
import { type Build, wait, waitForAll, waitForBoth } from './build';
import { additionalCosts, requireLamports, tokensOf } from './costs';
import { asBuilt, type ReviseTransactions, withEngineErrors } from './handOut';
import type { BuildService, PlannedWithdrawal } from './ports';

/** A claim withdraws no share of the liquidity. */
export const FEES_ALONE = { bps: 0, fromBinId: undefined, toBinId: undefined, slippageBps: 0 };

/**
 * Builds a claim of the fees of positions. Each of its transactions is an operation of its own, because each may land alone.
 * @throws EngineError if there is no such position, it is not the owner's, there is nothing to claim, or a transaction would fail
 */
export function* buildClaims(service: BuildService, { owner, positionIds }: ClaimParameters, revise = asBuilt): Build<WireClaim> {
  const claimed = new Map<string, PlannedWithdrawal>();
  for (const position of yield* waitForAll(positionIds.map((id) => service.withdrawal(id, FEES_ALONE)))) {
    if (position.owner !== owner) {
      throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
    }
    if (position.fees.x + position.fees.y > 0n || rewardsOf(position).length > 0) {
      claimed.set(position.position, position);
    }
  }
  const positions = [...claimed.values()];
  if (positions.length === 0) {
    throw new EngineError('invalid', 'There is nothing to claim: the positions have no fees, and no rewards that can be claimed');
  }
  const pools = positions.map(({ pool }) => pool.accounts);
  const tokens = tokensOf(pools, [], positions.flatMap(rewardsOf));
  const written = pools.map(({ pool }) => pool);
  const [wallet, { terms, lastValidBlockHeight }] = yield* waitForBoth(
    service.wallet(owner, tokens),
    service.terms(owner, written, positions.length),
  );
  const claims = positions.map(({ pool, position, plan }) => ({ pool: pool.accounts, position, ...plan }));
  const transactions = withEngineErrors(() => revised(buildClaim({ ...terms, claims }), terms, revise));
  const rent = yield* wait(service.rent());
  const tips = (terms.tip?.lamports ?? 0n) * BigInt(transactions.length - 1);
  requireLamports(wallet, tips + additionalCosts(terms, tokens, { wallet, rent, transactions: transactions.length }));
  let simulated: number | undefined;
  for (const { positions: of, plain, withTip } of transactions) {
    const coverage = yield* wait(
      service.issue({
        kind: 'claim',
        owner,
        lastValidBlockHeight,
        promised: { positions: of, strategy: null, price: null },
        plain: [plain],
        bundles: terms.tip === undefined ? [] : [[withTip]],
        lookupTables: [],
      }),
    );
    simulated = coverage === undefined ? simulated : (simulated ?? 0) + coverage.simulated;
  }
  const claimTxs = transactions.map(({ plain }) => base64FromBytes(plain));
  return {
    lastValidBlockHeight,
    lastValidBlock: lastValidBlockHeight,
    claimTxs,
    claimTxsWithJito: terms.tip === undefined ? claimTxs : transactions.map(({ withTip }) => base64FromBytes(withTip)),
    simulation: simulated === undefined ? undefined : { transactions: transactions.length, simulated },
    meta: {
      positions: positions.map(({ position, fees, rewards = [], plan }) => ({
        position,
        feeX: String(fees.x),
        feeY: String(fees.y),
        rewards: rewards.map((waiting, index) => String(plan.rewards?.some((one) => one.index === index) === true ? waiting : 0n)),
      })),
    },
  };
}

function revised(claims: readonly ClaimTransaction[], terms: BuildTerms, revise: ReviseTransactions): readonly ClaimTransaction[] {
  const plain = revise(
    claims.map((claim) => claim.plain),
    withoutTip(terms),
  );
  const tipped = revise(
    claims.map(({ withTip }) => withTip),
    terms,
  );
  return tipped.map((withTip, place) => ({ positions: claims[place]?.positions ?? [], withTip, plain: plain[place] ?? withTip }));
}

function rewardsOf({ plan: { rewards = [] } }: PlannedWithdrawal): readonly RewardAccounts[] {
  return rewards;
}
