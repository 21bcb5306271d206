import { openAccounts } from '../../../chain/accountTable';
import { AccountLedger } from '../../../chain/ledger';
import type { Database } from '../../../store/database';
import { UnitOfWork } from '../../../store/unitOfWork';
import { SimulatedMarket } from '../../market';
import { Findings } from './findings';
import { auditLandings } from './landings';
import { auditMoney } from './money';
import { auditPool } from './pools';
import { auditEvents } from './events';
import { auditPositionAccounts } from './positionAccounts';

/**
 * Says what of a world does not add up, as of the last commit: sentences for a developer, none where all is well. Reads the
 * database alone, and opens what is in it a second time, as a start would; changes nothing.
 * @throws StoreError where it cannot even be read.
 */
export function audit(database: Database): readonly string[] {
  const findings = new Findings();
  const ledger = new AccountLedger(openAccounts(database));
  const market = SimulatedMarket.open({ database, unit: new UnitOfWork(database), ledger, seed: 0, startedAt: 0, playedFrom: 0 });
  if (market.isNew) {
    return ['There is no market'];
  }
  auditMoney(database, findings);
  market.pools.forEach((pool) => auditPool(database, market, pool, findings));
  auditPositionAccounts(database, market, findings);
  auditEvents(database, market, findings);
  auditLandings(database, findings);
  return findings.all;
}
