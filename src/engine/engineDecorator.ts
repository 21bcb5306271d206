import type { Address } from '../base/solana/address';
import type {
  AddParameters,
  CandlesParameters,
  CountersParameters,
  ClaimParameters,
  DecreaseParameters,
  DepositParameters,
  DiscoverParameters,
  Engine,
  Eventually,
  HistoricalParameters,
  LandParameters,
  EngineOperationKind,
  PoolPositionsParameters,
  ProtocolNames,
  RevenueParameters,
  SwapParameters,
  TopLpersParameters,
} from './engine';

/** An engine that passes every call on to another one. Subclasses change what they override, or every call. */
export class EngineDecorator implements Engine {
  constructor(protected readonly inner: Engine) {}

  get protocols(): ProtocolNames {
    return this.inner.protocols;
  }

  /** Makes a call of the inner engine. */
  protected around<Answer>(call: () => Eventually<Answer>): Eventually<Answer> {
    return call();
  }

  advance(): ReturnType<Engine['advance']> {
    return this.around(() => this.inner.advance());
  }

  opening(owner: Address): ReturnType<Engine['opening']> {
    return this.around(() => this.inner.opening(owner));
  }

  historical(parameters: HistoricalParameters): ReturnType<Engine['historical']> {
    return this.around(() => this.inner.historical(parameters));
  }

  overview(owner: Address, protocol: string): ReturnType<Engine['overview']> {
    return this.around(() => this.inner.overview(owner, protocol));
  }

  logs(of: Parameters<Engine['logs']>[0]): ReturnType<Engine['logs']> {
    return this.around(() => this.inner.logs(of));
  }

  revenue(parameters: RevenueParameters): ReturnType<Engine['revenue']> {
    return this.around(() => this.inner.revenue(parameters));
  }

  discover(parameters: DiscoverParameters): ReturnType<Engine['discover']> {
    return this.around(() => this.inner.discover(parameters));
  }

  poolInfo(pool: string): ReturnType<Engine['poolInfo']> {
    return this.around(() => this.inner.poolInfo(pool));
  }

  candles(parameters: CandlesParameters): ReturnType<Engine['candles']> {
    return this.around(() => this.inner.candles(parameters));
  }

  counters(parameters: CountersParameters): ReturnType<Engine['counters']> {
    return this.around(() => this.inner.counters(parameters));
  }

  poolPositions(parameters: PoolPositionsParameters): ReturnType<Engine['poolPositions']> {
    return this.around(() => this.inner.poolPositions(parameters));
  }

  onchainStats(pool: string): ReturnType<Engine['onchainStats']> {
    return this.around(() => this.inner.onchainStats(pool));
  }

  topLpers(parameters: TopLpersParameters): ReturnType<Engine['topLpers']> {
    return this.around(() => this.inner.topLpers(parameters));
  }

  tokenBalance(owner: Address, mints: readonly string[] | undefined): ReturnType<Engine['tokenBalance']> {
    return this.around(() => this.inner.tokenBalance(owner, mints));
  }

  decreaseQuote(positionId: string, bps: number): ReturnType<Engine['decreaseQuote']> {
    return this.around(() => this.inner.decreaseQuote(positionId, bps));
  }

  buildDecrease(parameters: DecreaseParameters): ReturnType<Engine['buildDecrease']> {
    return this.around(() => this.inner.buildDecrease(parameters));
  }

  buildAdd(parameters: AddParameters): ReturnType<Engine['buildAdd']> {
    return this.around(() => this.inner.buildAdd(parameters));
  }

  buildDeposit(parameters: DepositParameters): ReturnType<Engine['buildDeposit']> {
    return this.around(() => this.inner.buildDeposit(parameters));
  }

  buildClaim(parameters: ClaimParameters): ReturnType<Engine['buildClaim']> {
    return this.around(() => this.inner.buildClaim(parameters));
  }

  buildSwap(parameters: SwapParameters): ReturnType<Engine['buildSwap']> {
    return this.around(() => this.inner.buildSwap(parameters));
  }

  land(kind: EngineOperationKind, parameters: LandParameters): ReturnType<Engine['land']> {
    return this.around(() => this.inner.land(kind, parameters));
  }
}
