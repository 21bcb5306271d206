import * as l10n from '@vscode/l10n';
import type { LiquidityService } from '../../../service/service';
import type { DateRange } from '../../../protocol/overview';
import type { Address } from '../../../base/solana/address';
import { UserError } from '../../shell/errors';
import { importRemedy, watchRemedy } from '../../wallets/walletSelection';
import type { PresenterDependencies } from '../presenter';
import { CLOSED_PAGE_SIZE, type ReadClosedPage } from './closedPages';
import { spanOfDays } from './days';

/** Whether the wallet and the service are still those with which a read started. */
export type IsOurs = () => boolean;

/** Reads data about the selected wallet from the service. */
export class OwnerReads {
  readonly #dependencies: Pick<PresenterDependencies, 'connect' | 'portfolio' | 'serviceId'>;

  constructor(dependencies: Pick<PresenterDependencies, 'connect' | 'portfolio' | 'serviceId'>) {
    this.#dependencies = dependencies;
  }

  /** Identifies the service and the wallet. */
  get identity(): string {
    const { portfolio, serviceId } = this.#dependencies;
    return `${serviceId()} ${portfolio.snapshot.owner ?? ''}`;
  }

  /** Returns a check whether the service and the wallet are still the current ones. */
  guard(): IsOurs {
    const { identity } = this;
    return () => this.identity === identity;
  }

  /**
   * Returns the service and the selected wallet.
   * @throws what connecting throws; UserError if no wallet is selected
   */
  async open(): Promise<{ readonly service: LiquidityService; readonly owner: Address }> {
    const service = await this.#dependencies.connect();
    // Only after connecting: the sandbox adds its wallet.
    const { owner } = this.#dependencies.portfolio.snapshot;
    if (owner === undefined) {
      throw new UserError(l10n.t('No wallet selected. Import a wallet key or watch an address.'), importRemedy(), watchRemedy());
    }
    return { service, owner };
  }

  /** Returns a reader of pages of positions closed in a range of days, last closed first. */
  closedPages(range: DateRange, signal: AbortSignal, isOurs: IsOurs = () => true): ReadClosedPage {
    return async (page) => {
      const { service, owner } = await this.open();
      if (!isOurs()) {
        throw new UserError(l10n.t('The wallet or service has changed.'));
      }
      return service.closedPositions({ owner, ...spanOfDays(range), page, pageSize: CLOSED_PAGE_SIZE }, { signal });
    };
  }
}
