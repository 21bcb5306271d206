import { type Engine, EngineError, type Eventually, type ProtocolNames } from '../server/engine';
import { ChainRpcError } from './rpc/errors';

/** The endpoints of the engine. */
export type EngineParts = Omit<Engine, 'protocols' | 'advance'>;

/** What answers each endpoint. */
export interface ChainEngineOptions {
  readonly protocols: ProtocolNames;
  /** Makes sure that the chain is the right one. @throws ChainRpcError if it cannot be asked */
  readonly checkChain: () => Promise<void>;
  /** Endpoints that are left out are answered with `notImplemented`. */
  readonly parts: Partial<EngineParts>;
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

  readonly opening: Engine['opening'] = (owner) => translated(() => this.#part('opening')(owner));
  readonly historical: Engine['historical'] = (parameters) => translated(() => this.#part('historical')(parameters));
  readonly overview: Engine['overview'] = (owner, protocol) => translated(() => this.#part('overview')(owner, protocol));
  readonly logs: Engine['logs'] = (of) => translated(() => this.#part('logs')(of));
  readonly revenue: Engine['revenue'] = (parameters) => translated(() => this.#part('revenue')(parameters));
  readonly discover: Engine['discover'] = (parameters) => translated(() => this.#part('discover')(parameters));
  readonly poolInfo: Engine['poolInfo'] = (pool) => translated(() => this.#part('poolInfo')(pool));
  readonly poolPositions: Engine['poolPositions'] = (parameters) => translated(() => this.#part('poolPositions')(parameters));
  readonly onchainStats: Engine['onchainStats'] = (pool) => translated(() => this.#part('onchainStats')(pool));
  readonly topLpers: Engine['topLpers'] = (parameters) => translated(() => this.#part('topLpers')(parameters));
  readonly tokenBalance: Engine['tokenBalance'] = (owner, mints) => translated(() => this.#part('tokenBalance')(owner, mints));
  readonly decreaseQuote: Engine['decreaseQuote'] = (id, bps) => translated(() => this.#part('decreaseQuote')(id, bps));
  readonly buildDecrease: Engine['buildDecrease'] = (parameters) => translated(() => this.#part('buildDecrease')(parameters));
  readonly landDecrease: Engine['landDecrease'] = (parameters) => translated(() => this.#part('landDecrease')(parameters));
  readonly buildAdd: Engine['buildAdd'] = (parameters) => translated(() => this.#part('buildAdd')(parameters));
  readonly landAdd: Engine['landAdd'] = (parameters) => translated(() => this.#part('landAdd')(parameters));

  #part<Name extends keyof EngineParts>(name: Name): EngineParts[Name] {
    const part: EngineParts[Name] | undefined = this.#options.parts[name];
    if (part === undefined) {
      throw new EngineError('notImplemented', `This service does not answer ${name} yet`);
    }
    return part;
  }
}

/** Runs a part. @throws EngineError also where the chain did not answer; nothing has happened then */
async function translated<Result>(run: () => Eventually<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ChainRpcError ? new EngineError('unavailable', error.message, { cause: error }) : error;
  }
}
