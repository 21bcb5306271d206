import type { Address } from '../../base/solana/address';
import type {
  AddParameters,
  DecreaseParameters,
  DiscoverParameters,
  Engine,
  HistoricalParameters,
  LandParameters,
  PoolPositionsParameters,
  ProtocolNames,
  RevenueParameters,
  TopLpersParameters,
} from '../../server/engine';

/** An engine that passes every call on; subclasses change what they override. */
export class EngineDecorator implements Engine {
  constructor(protected readonly inner: Engine) {}

  get protocols(): ProtocolNames {
    return this.inner.protocols;
  }

  advance(): ReturnType<Engine['advance']> {
    return this.inner.advance();
  }

  opening(owner: Address): ReturnType<Engine['opening']> {
    return this.inner.opening(owner);
  }

  historical(parameters: HistoricalParameters): ReturnType<Engine['historical']> {
    return this.inner.historical(parameters);
  }

  overview(owner: Address, protocol: string): ReturnType<Engine['overview']> {
    return this.inner.overview(owner, protocol);
  }

  logs(of: Parameters<Engine['logs']>[0]): ReturnType<Engine['logs']> {
    return this.inner.logs(of);
  }

  revenue(parameters: RevenueParameters): ReturnType<Engine['revenue']> {
    return this.inner.revenue(parameters);
  }

  discover(parameters: DiscoverParameters): ReturnType<Engine['discover']> {
    return this.inner.discover(parameters);
  }

  poolInfo(pool: string): ReturnType<Engine['poolInfo']> {
    return this.inner.poolInfo(pool);
  }

  poolPositions(parameters: PoolPositionsParameters): ReturnType<Engine['poolPositions']> {
    return this.inner.poolPositions(parameters);
  }

  onchainStats(pool: string): ReturnType<Engine['onchainStats']> {
    return this.inner.onchainStats(pool);
  }

  topLpers(parameters: TopLpersParameters): ReturnType<Engine['topLpers']> {
    return this.inner.topLpers(parameters);
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): ReturnType<Engine['tokenBalance']> {
    return this.inner.tokenBalance(owner, mints);
  }

  decreaseQuote(positionId: string, bps: number): ReturnType<Engine['decreaseQuote']> {
    return this.inner.decreaseQuote(positionId, bps);
  }

  buildDecrease(parameters: DecreaseParameters): ReturnType<Engine['buildDecrease']> {
    return this.inner.buildDecrease(parameters);
  }

  landDecrease(parameters: LandParameters): ReturnType<Engine['landDecrease']> {
    return this.inner.landDecrease(parameters);
  }

  buildAdd(parameters: AddParameters): ReturnType<Engine['buildAdd']> {
    return this.inner.buildAdd(parameters);
  }

  landAdd(parameters: LandParameters): ReturnType<Engine['landAdd']> {
    return this.inner.landAdd(parameters);
  }
}

/** An engine that executes only the first transactions of a landing, and drops the others for good. */
export class PartialLanding extends EngineDecorator {
  readonly #transactions: number;

  constructor(honest: Engine, transactions: number) {
    super(honest);
    this.#transactions = transactions;
  }

  override landDecrease(parameters: LandParameters): ReturnType<Engine['landDecrease']> {
    return super.landDecrease({ ...parameters, onlyFirst: this.#transactions });
  }

  override landAdd(parameters: LandParameters): ReturnType<Engine['landAdd']> {
    return super.landAdd({ ...parameters, onlyFirst: this.#transactions });
  }
}
