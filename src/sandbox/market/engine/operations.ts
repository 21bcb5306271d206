import { parseAddress } from '../../../base/solana/address';
import { EngineError, type AddParameters, type DecreaseParameters, type ProtocolNames } from '../../../server/engine';
import type { WireAdd, WireDecrease } from '../../../server/wire/transactions';
import { buildAdd } from '../../build/buildAdd';
import { buildDecrease } from '../../build/buildDecrease';
import type { AddPlan, AddTransactions, DecreasePlan, DecreaseTransactions } from '../../build/types';
import type { Pool, Position } from '../types';
import { draftAdd, issueAdd, type AddDraft, type ReviseZapIn } from './addTransactions';
import type { BuildContext } from './buildContext';
import { draftDecrease, issueDecrease, type DecreaseDraft } from './decreaseTransactions';

/**
 * Builds operations in two stages: a draft at present prices, and its transactions, which are stored before anyone gets them, since landing
 * takes only what is stored.
 */
export class Operations {
  readonly #protocols: ProtocolNames;

  constructor(
    readonly context: BuildContext,
    protocols: ProtocolNames,
  ) {
    this.#protocols = protocols;
  }

  /** @throws EngineError if the position is not open, not the owner's or of another protocol, or the parameters make no sense. */
  draftDecrease(parameters: DecreaseParameters): DecreaseDraft {
    const { pool, position } = this.position(parameters.positionId);
    const protocol = this.#protocols[pool.type];
    if (parameters.protocol !== undefined && parameters.protocol !== protocol) {
      throw new EngineError('invalid', `type is ${parameters.protocol}, but the position is one of ${protocol}`);
    }
    return draftDecrease(this.context, pool, position, parameters);
  }

  /** @throws EngineError if the draft cannot be built, or the owner has too little. */
  issueDecrease(draft: DecreaseDraft, build: (plan: DecreasePlan) => DecreaseTransactions = buildDecrease): WireDecrease {
    const issued = issueDecrease(this.context, draft, build);
    this.context.unit.commit();
    return issued;
  }

  /**
   * @param revise runs where the deposit is planned: prices are as the swaps leave them
   * @throws EngineError if the parameters make no sense
   */
  draftAdd(parameters: AddParameters, revise?: ReviseZapIn): AddDraft {
    return draftAdd(this.context, this.pool(parameters.pool), parameters, revise);
  }

  /** @throws EngineError if the draft cannot be built, or the owner has too little. */
  issueAdd(draft: AddDraft, build: (plan: AddPlan) => AddTransactions = buildAdd): WireAdd {
    const issued = issueAdd(this.context, draft, build);
    this.context.unit.commit();
    return issued;
  }

  /** @throws EngineError if there is no such pool. */
  pool(address: string): Pool {
    return this.context.market.poolAt(address) ?? notFound(`Pool ${address} not found`);
  }

  /** An open position, by its opaque id or its address. @throws EngineError if there is none. */
  position(id: string): { readonly pool: Pool; readonly position: Readonly<Position> } {
    const { positions } = this.context.market;
    const address = positions.addressOf(id) ?? parseAddress(id);
    const position = address === undefined ? undefined : positions.at(address);
    if (position === undefined || position.closing !== null) {
      return notFound(`Position account ${id} not found`);
    }
    return { pool: this.pool(position.pool), position };
  }
}

/** @throws EngineError */
export function notFound(message: string): never {
  throw new EngineError('notFound', message);
}
