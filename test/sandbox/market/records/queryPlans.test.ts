import assert from 'node:assert/strict';
import * as z from 'zod';
import { POSITIONS_OF_POOL } from '../../../../src/sandbox/market/records/poolPositions';
import { CLOSED_POSITIONS, OPEN_POSITIONS } from '../../../../src/sandbox/market/records/positionLists';
import { FOLLOWED_POSITION, LOGS_OF_OWNER, LOGS_OF_POSITIONS } from '../../../../src/sandbox/market/records/positionStates';
import { Database } from '../../../../src/sandbox/store/database';

const Step = z.object({ detail: z.string() });

describe('Query plans of lists', () => {
  const database = Database.inMemory();
  after(() => database.close());

  it('The historical list reads only the closed positions of an owner', () => {
    assert.match(
      noScan(planOf(CLOSED_POSITIONS, 'owner', 9)),
      /SEARCH p USING (COVERING )?INDEX position_owner \(owner=\? AND closed_at>\?\)/,
    );
  });

  it('The opening list reads only the open positions of an owner', () => {
    assert.match(noScan(planOf(OPEN_POSITIONS, 'owner', 9)), /SEARCH p USING INDEX position_owner \(owner=\? AND closed_at=\?\)/);
  });

  it('Logs of an owner are read in index order, and those of positions by key', () => {
    const ofOwner = noScan(planOf(LOGS_OF_OWNER, 'owner'));
    assert.match(ofOwner, /SEARCH e USING INDEX position_event_owner \(owner=\?\)/);
    assert.match(ofOwner, /SEARCH p USING PRIMARY KEY/);
    assert.doesNotMatch(ofOwner, /TEMP B-TREE/);
    assert.match(planOf(LOGS_OF_POSITIONS, '["a"]'), /SEARCH e USING PRIMARY KEY \(position=\?\)/);
  });

  it('Positions of a pool are found by its index', () => {
    assert.match(planOf(POSITIONS_OF_POOL, 'pool', null, null), /SEARCH p USING INDEX position_pool\w* \(pool=\?\)/);
    assert.match(
      planOf(FOLLOWED_POSITION, 'pool', 9, 'owner'),
      /SEARCH position USING INDEX position_pool_opened \(pool=\? AND opened_at<\?\)/,
    );
  });

  function planOf(sql: string, ...values: readonly (string | number | null)[]): string {
    return database
      .all(Step, `EXPLAIN QUERY PLAN ${sql}`, ...values)
      .map(({ detail }) => detail)
      .join('\n');
  }

  function noScan(plan: string): string {
    assert.doesNotMatch(plan, /SCAN/);
    return plan;
  }
});
