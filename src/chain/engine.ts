import { type Engine, EngineError, type Eventually, type ProtocolNames } from '../server/engine';
import { ChainRpcError } from './rpc/errors';

/** The endpoints of the engine. */
export type EngineParts = Omit<Engine, 'protocols' | 'advance'>;

/** What answers each endpoint. */
export interface ChainEngineOptions {
  readonly protocols: ProtocolNames;
  /** Makes sure that the chain is the right one. @throws ChainRpcError if the RPC fails */
  readonly checkChain: () => Promise<void>;
  readonly parts: EngineParts;
}

/**
 * The engine over a real chain: composes the parts, and turns failures of the RPC into refusals that name it by its host. One part that fails
 * does not disturb the others.
 */
export class ChainEngine implements Engine {
  readonly protocols: ProtocolNames;
  readonly #options: ChainEngineOptions;

  constructor(options: ChainEngineOptions) {
    this.protocols = options.protocols;
    this.#options = options;
  }

  advance(): Promise<void> {
    return translated(this.#options.checkChain);
  }

  readonly opening: Engine['opening'] = (owner) => translated(() => this.#options.parts.opening(owner));
  readonly historical: Engine['historical'] = (parameters) => translated(() => this.#options.parts.historical(parameters));
  readonly overview: Engine['overview'] = (owner, protocol) => translated(() => this.#options.parts.overview(owner, protocol));
  readonly logs: Engine['logs'] = (of) => translated(() => this.#options.parts.logs(of));
  readonly revenue: Engine['revenue'] = (parameters) => translated(() => this.#options.parts.revenue(parameters));
  readonly discover: Engine['discover'] = (parameters) => translated(() => this.#options.parts.discover(parameters));
  readonly poolInfo: Engine['poolInfo'] = (pool) => translated(() => this.#options.parts.poolInfo(pool));
  readonly poolPositions: Engine['poolPositions'] = (parameters) => translated(() => this.#options.parts.poolPositions(parameters));
  readonly onchainStats: Engine['onchainStats'] = (pool) => translated(() => this.#options.parts.onchainStats(pool));
  readonly topLpers: Engine['topLpers'] = (parameters) => translated(() => this.#options.parts.topLpers(parameters));
  readonly tokenBalance: Engine['tokenBalance'] = (owner, mints) => translated(() => this.#options.parts.tokenBalance(owner, mints));
  readonly decreaseQuote: Engine['decreaseQuote'] = (id, bps) => translated(() => this.#options.parts.decreaseQuote(id, bps));
  readonly buildDecrease: Engine['buildDecrease'] = (parameters) => translated(() => this.#options.parts.buildDecrease(parameters));
  readonly landDecrease: Engine['landDecrease'] = (parameters) => translated(() => this.#options.parts.landDecrease(parameters));
  readonly buildAdd: Engine['buildAdd'] = (parameters) => translated(() => this.#options.parts.buildAdd(parameters));
  readonly landAdd: Engine['landAdd'] = (parameters) => translated(() => this.#options.parts.landAdd(parameters));
}

/** Runs a part. @throws EngineError also where the chain did not answer; nothing has happened then */
async function translated<Result>(run: () => Eventually<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ChainRpcError ? new EngineError('unavailable', error.message, { cause: error }) : error;
  }
}
