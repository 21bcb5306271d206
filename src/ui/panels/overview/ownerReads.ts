import * as l10n from '@vscode/l10n';
import type { LiquidityService } from '../../../service/service';
import type { DateRange } from '../../../protocol/overview';
import type { Address } from '../../../base/solana/address';
import { UserError } from '../../shell/userError';
import type { PresenterDependencies } from '../types';
import { CLOSED_PAGE_SIZE, type ReadClosedPage } from './closedPages';
import { spanOfDays } from './days';

/** Whether what is read is still of the wallet and the service that it was begun with. */
export type IsOurs = () => boolean;

/** The way to what the service knows of the wallet that is looked at. */
export class OwnerReads {
  readonly #dependencies: Pick<PresenterDependencies, 'connect' | 'portfolio' | 'serviceId'>;

  constructor(dependencies: Pick<PresenterDependencies, 'connect' | 'portfolio' | 'serviceId'>) {
    this.#dependencies = dependencies;
  }

  /** Tells a service and a wallet from others. */
  get identity(): string {
    const { portfolio, serviceId } = this.#dependencies;
    return `${serviceId()} ${portfolio.snapshot.owner ?? ''}`;
  }

  /** Tells whether service and wallet are those of now. */
  guard(): IsOurs {
    const { identity } = this;
    return () => this.identity === identity;
  }

  /**
   * Gives the service, and the wallet that is looked at.
   * @throws what connecting throws; Refusal where there is no wallet.
   */
  async open(): Promise<{ readonly service: LiquidityService; readonly owner: Address }> {
    const service = await this.#dependencies.connect();
    // Not before: the sandbox brings its wallet along.
    const { owner } = this.#dependencies.portfolio.snapshot;
    if (owner === undefined) {
      throw new UserError(l10n.t('No wallet is looked at: import a key, or watch an address.'));
    }
    return { service, owner };
  }

  /** Gives what reads pages of the positions that were closed in these days, the last closed first. */
  closedPages(range: DateRange, signal: AbortSignal, isOurs: IsOurs = () => true): ReadClosedPage {
    return async (page) => {
      const { service, owner } = await this.open();
      if (!isOurs()) {
        throw new UserError(l10n.t('Another wallet or service is in use now.'));
      }
      return service.closedPositions({ owner, ...spanOfDays(range), page, pageSize: CLOSED_PAGE_SIZE }, { signal });
    };
  }
}
