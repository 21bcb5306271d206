import type { Address } from '../../base/solana/address';
import type { DiscoverParameters, Engine, Eventually, HistoricalParameters, PoolPositionsParameters } from '../../server/engine';
import { EngineDecorator } from './engineDecorator';
import { lied, type ListLie } from './lyingLists';

/** A hostile service that lists prices, worths or amounts wrongly. What it builds is honest. */
export class LyingEngine extends EngineDecorator {
  readonly #lie: ListLie;

  constructor(honest: Engine, lie: ListLie) {
    super(honest);
    this.#lie = lie;
  }

  override opening(owner: Address): ReturnType<Engine['opening']> {
    return this.#changed(super.opening(owner));
  }

  override historical(parameters: HistoricalParameters): ReturnType<Engine['historical']> {
    return this.#changed(super.historical(parameters));
  }

  override discover(parameters: DiscoverParameters): ReturnType<Engine['discover']> {
    return this.#changed(super.discover(parameters));
  }

  override poolInfo(pool: string): ReturnType<Engine['poolInfo']> {
    return this.#changed(super.poolInfo(pool));
  }

  override poolPositions(parameters: PoolPositionsParameters): ReturnType<Engine['poolPositions']> {
    return this.#changed(super.poolPositions(parameters));
  }

  override tokenBalance(owner: Address, mints: readonly string[] | undefined): ReturnType<Engine['tokenBalance']> {
    return this.#changed(super.tokenBalance(owner, mints));
  }

  async #changed<Answer>(answer: Eventually<Answer>): Promise<Answer> {
    return lied(await answer, this.#lie);
  }
}
