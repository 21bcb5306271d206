import { WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import {
  type AddParameters,
  type ClaimParameters,
  type DecreaseParameters,
  type DepositParameters,
  type Engine,
  EngineError,
  type SwapParameters,
} from '../../engine/engine';
import { buildAdd, buildDecrease } from '../../engine/assembly/buildTransactions';
import { atOnce } from '../../engine/build/build';
import { additionalCosts, tokensOf } from '../../engine/build/costs';
import type { EntryDraft } from '../../engine/build/entries';
import type { ExitDraft } from '../../engine/build/exits';
import type { ReviseTransactions } from '../../engine/build/handOut';
import type { PlannedSwap } from '../../engine/build/ports';
import { writtenSwaps } from '../../engine/build/swaps';
import { openPosition } from '../market/engine/buildService';
import type { EngineOperations } from '../market/engine/marketEngine';
import type { AddPlan, SwapPlan } from '../../engine/assembly/types';
import { type Attack, wrongPosition } from './attacks';
import { EngineDecorator } from '../../engine/engineDecorator';
import {
  secondSpend,
  withBalanceSold,
  withDepositsFirst,
  withDustBought,
  withOwnTokensDeposited,
  withSwap,
  withWrappedSolSold,
} from './hostileSwaps';
import {
  type Theft,
  theftStep,
  type Victim,
  withSplitOpening,
  withStepInAdd,
  withStepInDecrease,
  withTransaction,
} from './maliciousInstructions';

/**
 * A hostile service: it changes the transactions of the honest engine, as the attack says. The rest of the operation stays honest, and the
 * result lands like any other.
 */
export class HostileEngine extends EngineDecorator {
  readonly #operations: EngineOperations;
  readonly #attack: Attack;

  constructor(honest: Engine, operations: EngineOperations, attack: Attack) {
    super(honest);
    this.#operations = operations;
    this.#attack = attack;
  }

  /** @throws EngineError as the honest engine does, and if there is nothing that the attack could take. */
  override buildDecrease(parameters: DecreaseParameters): ReturnType<Engine['buildDecrease']> {
    const attack = this.#attack;
    const operations = this.#operations;
    const { context } = operations;
    const draft = operations.draftDecrease(parameters);
    switch (attack) {
      case 'sendSol':
      case 'tokenAuthority':
      case 'plantedAccount':
      case 'unknownProgram': {
        const theft = theftStep(context, attack, this.#victimOf(draft, 0n));
        return operations.issueDecrease(draft, (plan) => withStepInDecrease(buildDecrease(plan), plan, theft));
      }
      case 'wrongPosition': {
        const { address } = wrongPosition(context.market, draft.withdrawal);
        const whole = { bps: WHOLE_BPS, fromBinId: undefined, toBinId: undefined };
        return super.buildDecrease({ ...parameters, ...whole, positionId: address });
      }
      case 'sellForDust':
        return operations.issueDecrease(withSwaps(draft, withBalanceSold(context, draft, parameters)));
      case 'sellWrappedSol':
        return operations.issueDecrease(withSwaps(draft, withWrappedSolSold(context, draft, parameters)));
      case 'overspend':
      case 'splitOpening':
      case 'anyPrice':
      case 'depositOwnTokens':
        return operations.issueDecrease(draft);
    }
  }

  /** @throws EngineError as the honest engine does, and if there is nothing that the attack could take. */
  override buildAdd(parameters: AddParameters): ReturnType<Engine['buildAdd']> {
    const attack = this.#attack;
    const operations = this.#operations;
    switch (attack) {
      case 'sendSol':
      case 'tokenAuthority':
      case 'plantedAccount':
      case 'unknownProgram':
        return this.#stealDuringAdd(attack, operations.draftAdd(parameters));
      case 'overspend':
        return this.#spendTwice(parameters);
      case 'splitOpening':
        return operations.issueAdd(operations.draftAdd(parameters), (plan) => withSplitOpening(buildAdd(plan), plan));
      case 'anyPrice':
        return operations.issueAdd(operations.draftAdd(parameters), (plan) => buildAdd(atAnyPrice(plan)));
      case 'sellForDust':
        return operations.issueAdd(operations.draftAdd(parameters, (funds, pool) => withDustBought(pool, funds, parameters.slippageBps)));
      case 'depositOwnTokens': {
        const { owner } = parameters;
        const draft = operations.draftAdd(parameters, (funds, pool) => withOwnTokensDeposited(operations.context, pool, funds, owner));
        return operations.issueAdd(draft, (plan) => withDepositsFirst(buildAdd(plan)));
      }
      case 'wrongPosition':
      case 'sellWrappedSol':
        return operations.issueAdd(operations.draftAdd(parameters));
    }
  }

  /** @throws EngineError as the honest engine does, and if there is nothing that the attack could take. */
  override buildClaim(parameters: ClaimParameters): ReturnType<Engine['buildClaim']> {
    const { owner, positionIds } = parameters;
    switch (this.#attack) {
      case 'sendSol':
      case 'tokenAuthority':
      case 'plantedAccount':
      case 'unknownProgram':
        return this.#operations.claim(
          parameters,
          this.#stealing(this.#attack, { owner, used: positionIds.flatMap((id) => this.#tokensOf(id)) }),
        );
      case 'wrongPosition':
        return super.buildClaim({ ...parameters, positionIds: positionIds.map((id) => this.#otherThan(id)) });
      default:
        return super.buildClaim(parameters);
    }
  }

  /** @throws EngineError as the honest engine does, and if there is nothing that the attack could take. */
  override buildDeposit(parameters: DepositParameters): ReturnType<Engine['buildDeposit']> {
    const { owner, positionId, input } = parameters;
    const lamports = input.mode === 'zap-in' ? input.lamports : 0n;
    switch (this.#attack) {
      case 'sendSol':
      case 'tokenAuthority':
      case 'plantedAccount':
      case 'unknownProgram':
        return this.#operations.deposit(parameters, this.#stealing(this.#attack, { owner, used: this.#tokensOf(positionId) }, lamports));
      case 'wrongPosition':
        return super.buildDeposit({ ...parameters, positionId: this.#otherThan(positionId), fromBinId: undefined, toBinId: undefined });
      case 'overspend':
        if (input.mode !== 'zap-in') {
          throw new EngineError('invalid', 'The attack overspend is one on deposits from SOL');
        }
        return super.buildDeposit({ ...parameters, input: { ...input, lamports: 2n * lamports } });
      case 'anyPrice':
        return super.buildDeposit({ ...parameters, slippageBps: WHOLE_BPS });
      default:
        return super.buildDeposit(parameters);
    }
  }

  /** @throws EngineError as the honest engine does, and if there is nothing that the attack could take. */
  override buildSwap(parameters: SwapParameters): ReturnType<Engine['buildSwap']> {
    const { owner } = parameters;
    const [sold, bought] = parameters.unwrap ? [] : [parameters.inputMint, parameters.outputMint];
    const isOfSol = !parameters.unwrap && sold === WRAPPED_SOL_MINT;
    switch (this.#attack) {
      case 'sendSol':
      case 'tokenAuthority':
      case 'plantedAccount':
      case 'unknownProgram': {
        const used = [sold, bought].flatMap((mint) => (mint === undefined ? [] : [{ mint }]));
        const revise = this.#stealing(this.#attack, { owner, used }, isOfSol ? parameters.amount : 0n);
        return this.#operations.swap(parameters, revise);
      }
      case 'overspend':
        if (parameters.unwrap) {
          throw new EngineError('invalid', 'The attack overspend is one on swaps');
        }
        return super.buildSwap({ ...parameters, amount: isOfSol ? 2n * parameters.amount : this.#heldOf(owner, parameters.inputMint) });
      case 'anyPrice':
        return super.buildSwap(parameters.unwrap ? parameters : { ...parameters, slippageBps: WHOLE_BPS });
      default:
        return super.buildSwap(parameters);
    }
  }

  /** The same operation with one more transaction, which robs the owner. @param spentLamports what the operation itself needs besides its costs */
  #stealing(attack: Theft, { owner, used }: Pick<Victim, 'owner' | 'used'>, spentLamports = 0n): ReviseTransactions {
    const theft = theftStep(this.#operations.context, attack, { owner, used, costsLamports: spentLamports + COSTS_LAMPORTS });
    return (transactions, terms) => withTransaction(transactions, terms, theft);
  }

  #tokensOf(positionId: string): Victim['used'] {
    const { pool } = openPosition(this.#operations.context.market, positionId);
    return [pool.tokenX, pool.tokenY];
  }

  #otherThan(positionId: string): string {
    const { market } = this.#operations.context;
    return wrongPosition(market, { position: openPosition(market, positionId).position.address }).address;
  }

  #heldOf(owner: Address, mint: Address): bigint {
    return this.#operations.context.chain.tokenBalance(owner, mint);
  }

  #stealDuringAdd(attack: Theft, draft: EntryDraft): ReturnType<Engine['buildAdd']> {
    const theft = theftStep(this.#operations.context, attack, this.#victimOf(draft, draft.spentLamports));
    return this.#operations.issueAdd(draft, (plan) => withStepInAdd(buildAdd(plan), plan, theft));
  }

  #spendTwice(parameters: AddParameters): ReturnType<Engine['buildAdd']> {
    const operations = this.#operations;
    let second: (() => SwapPlan) | undefined;
    const draft = operations.draftAdd(parameters, (funds, pool) => {
      second = secondSpend(operations.context.market, pool, parameters);
      return funds;
    });
    const swap = second?.();
    if (swap === undefined) {
      return operations.issueAdd(draft);
    }
    return operations.issueAdd({ ...draft, spentLamports: draft.spentLamports + swap.inAmount }, (plan) =>
      withSwap(buildAdd(plan), plan, swap),
    );
  }

  #victimOf({ plan, wallet }: ExitDraft | EntryDraft, spentLamports: bigint): Victim {
    const { rent } = this.#operations.context.chain;
    const used = tokensOf([plan.pool], plan.swaps);
    const costsLamports = spentLamports + additionalCosts(plan, used, { wallet, rent, transactions: MAX_TRANSACTIONS });
    return { owner: plan.owner, used, costsLamports };
  }
}

/** The same withdrawal with other swaps. */
function withSwaps(draft: ExitDraft, swaps: readonly PlannedSwap[]): ExitDraft {
  return { ...draft, swaps, plan: { ...draft.plan, swaps: atOnce(writtenSwaps(swaps)) } };
}

/** More than fees, tips and the rent of the accounts that a claim, a deposit into a position or a swap may open: two bin arrays among them. */
const COSTS_LAMPORTS = 300_000_000n;
/** Most transactions of one operation. */
const MAX_TRANSACTIONS = 100;
/** The bins by which the price may move, where an honest service takes those of the slippage tolerance. */
const FAR_BINS = 100;
/** The square root of 50, in thousandths. */
const ROOT_OF_50 = 7_071n;

/** The same deposit, which lands far from the price. Less liquidity for the same amounts costs them only at another price. */
function atAnyPrice(plan: AddPlan): AddPlan {
  return plan.type === 'bins'
    ? { ...plan, maxActiveBinSlippage: FAR_BINS }
    : { ...plan, liquidity: (plan.liquidity * 1_000n) / ROOT_OF_50 };
}
