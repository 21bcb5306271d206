import assert from 'node:assert/strict';
import { addressFromBytes } from '../../src/base/solana/address';
import type { PositionEvent } from '../../src/chain/index/types';
import { tokenAmount } from '../../src/sandbox/chain/tokenAccount';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { Mainnet } from '../support/mainnet/mainnet';
import type { LittlePool } from '../support/mainnet/world/pool';

const WAIT_MS = 10_000;
/** Where the accounts of pools name their vaults. */
const VAULTS = { dlmm: [152, 184], damm: [232, 264] } as const;

/** What is in the vaults of a pool. */
function vaultsOf({ chain }: Mainnet, { address, program }: LittlePool): readonly bigint[] {
  const data = chain.account(address)?.data ?? new Uint8Array();
  return VAULTS[program].map((offset) =>
    tokenAmount(chain.account(addressFromBytes(data.subarray(offset, offset + 32)))?.data ?? new Uint8Array()),
  );
}

/** What these events moved into a pool. */
function sumOf(events: readonly PositionEvent[]): readonly bigint[] {
  const sum = (side: 'x' | 'y') =>
    events.reduce((total, { kind, amounts }) => total + (kind === 'deposit' ? amounts[side] : -amounts[side]), 0n);
  return [sum('x'), sum('y')];
}

describe('The index of an owner', () => {
  const mainnet = useMainnet();
  let test: TestIndex;
  beforeEach(() => {
    test = indexOf(mainnet().rpcUrl);
  });
  afterEach(() => test.stop());

  for (const name of ['solUsdc', 'memeSol', 'dammSolUsdc', 'dammMemeSol'] as const) {
    it(`tells exactly what moved in ${name}`, async () => {
      const pool = mainnet().pools[name];
      const [me, other] = [mainnet().wallet(0), mainnet().wallet(1)];
      const deposit =
        pool.program === 'dlmm' ? { x: 10n ** 9n, y: 10n ** 9n } : name === 'dammMemeSol' ? { y: 10n ** 9n } : { x: 10n ** 9n };
      const expected: (readonly bigint[])[] = [];
      const signatures: string[] = [];
      const during = async <Done extends { readonly signatures: readonly string[] }>(run: () => Promise<Done>): Promise<Done> => {
        const before = vaultsOf(mainnet(), pool);
        const done = await run();
        expected.push(vaultsOf(mainnet(), pool).map((amount, side) => amount - (before[side] ?? 0n)));
        signatures.push(...done.signatures);
        return done;
      };
      const { position } = await during(() => pool.open(me, deposit));
      await pool.swap(other, 'x', 10n ** 9n);
      await pool.swap(other, 'y', 10n ** 8n);
      await during(() => pool.claim(me, position));
      await during(() => pool.add(me, position, deposit));
      await during(() => pool.withdraw(me, position, 2_500));
      await pool.swap(other, 'x', 10n ** 8n);
      await during(() => pool.close(me, position));

      const progress = await test.index.catchUp(me.address, WAIT_MS);
      assert.equal(progress.state, 'current', progress.error);
      const [found] = test.index.positions({ position });
      assert.ok(found !== undefined);
      assert.deepEqual(
        signatures.map((signature) => sumOf(found.events.filter((event) => event.signature === signature))),
        expected,
      );
      assert.deepEqual(
        { pool: found.pool, owner: found.owner, closed: found.closed, complete: found.complete },
        { pool: pool.address, owner: me.address, closed: true, complete: true },
      );
    });
  }
});
