import assert from 'node:assert/strict';
import * as z from 'zod';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('The audit', function () {
  const test = useWorld();
  let position: string;
  let product: string;

  before(() => {
    position = test.entered(test.pool('JUPP-SOL-20'), SOL);
    product = test.entered(test.pool('JUPP-SOL-DAMM-25'), SOL);
    test.landDecrease(test.decrease(test.entered(test.pool('JUPP-SOL-20'), SOL), 10_000));
  });

  /** What the audit says of the database with something changed; afterwards it is as it was. */
  function saysOf(change: () => void): string {
    class Undo extends Error {}
    let said: readonly string[] = [];
    assert.throws(
      () =>
        test.database.transaction(() => {
          change();
          said = test.world.audit();
          throw new Undo();
        }),
      Undo,
    );
    return said.join('\n');
  }

  function bytes(sql: string, ...values: readonly string[]): Uint8Array {
    const row = test.database.get(z.object({ bytes: z.instanceof(Uint8Array) }), sql, ...values);
    assert.ok(row !== undefined);
    return row.bytes.slice();
  }

  const run = (sql: string, ...values: readonly (string | Uint8Array)[]): string => saysOf(() => test.database.run(sql, ...values));

  it('The audit finds nothing in a consistent world', () => {
    assert.equal(
      saysOf(() => undefined),
      '',
    );
  });

  it('The audit finds lamports and tokens without a source', () => {
    assert.match(
      run('UPDATE account SET lamports = CAST(CAST(lamports AS INTEGER) + 1 AS TEXT) WHERE address = ?', test.owner),
      /Lamports of all accounts and fees burnt: (\d+) instead of \d+/,
    );
    const { mint } = test.pool('JUPP-SOL-20').tokenX;
    const data = bytes('SELECT data AS bytes FROM account WHERE holder = ? AND mint = ?', test.owner, mint);
    data[64] = ((data[64] ?? 0) + 1) % 256;
    assert.match(
      run('UPDATE account SET data = ? WHERE holder = ? AND mint = ?', data, test.owner, mint),
      new RegExp(`Tokens of mint ${mint} in all accounts`),
    );
    assert.match(run('DELETE FROM account WHERE address = ?', mint), /Token accounts of mints that are not there/);
  });

  it('The audit finds an inconsistent vault, pool or bin', () => {
    const { address } = test.pool('JUPP-SOL-20');
    assert.match(
      run(`UPDATE pool SET state = json_set(state, '$.vaultX', '1') WHERE address = ?`, address),
      /JUPP-SOL-20, x: the vault's account: \d+ instead of 1\n/,
    );
    assert.match(
      run(`UPDATE pool SET state = json_set(state, '$.protocolFeeY', '99999999999999999') WHERE address = ?`, address),
      /JUPP-SOL-20, y: the vault has \d+ less than it owes/,
    );
    assert.match(
      run(`UPDATE pool SET state = json_set(state, '$.liquidityX', '0') WHERE address = ?`, address),
      /JUPP-SOL-20: X in all bins: \d+ instead of 0/,
    );
    const place = `FROM bin_array WHERE pool = ? AND number = (SELECT max(number) FROM bin_array WHERE pool = ?)`;
    const bins = bytes(`SELECT bins AS bytes ${place}`, address, address);
    bins[16] = ((bins[16] ?? 0) + 1) % 256;
    assert.match(
      run(
        'UPDATE bin_array SET bins = ? WHERE pool = ? AND number = (SELECT max(number) FROM bin_array WHERE pool = ?)',
        bins,
        address,
        address,
      ),
      /JUPP-SOL-20: shares of bin -?\d+: \d+ instead of \d+/,
    );
    const other = test.pool('JUPP-SOL-DAMM-25').address;
    assert.match(
      run(`UPDATE pool SET state = json_set(state, '$.liquidity', '7') WHERE address = ?`, other),
      /JUPP-SOL-DAMM-25: liquidity of all positions: \d+ instead of 7/,
    );
  });

  it('The audit finds a missing position and one that contradicts its events', () => {
    assert.match(run('DELETE FROM position WHERE address = ?', position), /belongs to no open position[^]*has events, but no row/);
    assert.match(
      run('UPDATE position SET input_usd = input_usd + 1 WHERE address = ?', position),
      new RegExp(`The position ${position} input_usd is [\\d.]+, its events add up to [\\d.]+`),
    );
    assert.match(run('UPDATE position_event SET amount_y = amount_y || 0 WHERE position = ?', position), /input_usd is/);
    assert.match(run('DELETE FROM position_event WHERE position = ?', position), /has no events/);
    assert.match(
      run('UPDATE position_event SET number = 9 WHERE position = ?', product),
      /has 1 events, the last one number 10, but counts 1/,
    );
    assert.match(run('UPDATE position SET closed_at = 5 WHERE address = ?', position), /is open and closed at once/);
  });

  it('The audit finds missing, extra and wrong position accounts', () => {
    assert.match(run('DELETE FROM account WHERE address = ?', position), new RegExp(`There is no account of position ${position}`));
    assert.match(run('DELETE FROM account WHERE address = ?', product), new RegExp(`There is no account of position ${product}`));
    assert.match(
      run('UPDATE account SET data = zeroblob(80) WHERE address = ?', position),
      new RegExp(`The account of position ${position} is not as it should be`),
    );
    const { nftMint } = test.position(product);
    assert.ok(nftMint !== null);
    assert.match(run('DELETE FROM account WHERE mint = ?', nftMint), new RegExp(`The NFT of position ${product} is not there`));
    assert.match(
      run('UPDATE position SET closed_at = opened_at, holding = NULL WHERE address = ?', product),
      /belongs to no open position/,
    );
  });

  it('The audit finds operations that are recorded as landed only in part', () => {
    assert.match(
      run(`UPDATE operation SET landed_signatures = '["lost"]' WHERE landed_signatures IS NOT NULL`),
      /Operation \d+ has landed, but its transaction lost is not there/,
    );
    assert.match(
      run('UPDATE operation SET landed_signatures = NULL'),
      /The transaction \w+ of operation \d+ has landed, but the operation has not/,
    );
    assert.match(run('DELETE FROM operation'), /Messages were issued of operation \d+, which is not there/);
  });
});
