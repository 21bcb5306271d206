import assert from 'node:assert/strict';
import { generateKey } from '../../../src/wallet/keys';
import { SYNCED_STATE } from '../../../src/ui/shell/names';
import { addressOf } from '../../support/portfolio/fixtures';
import { MemoryState } from '../../support/ui/memory';
import { REAL, type WalletWindow, walletWindow } from '../../support/ui/walletWindow';

const { watchedAddresses } = SYNCED_STATE;
const [FIRST, SECOND] = [addressOf(71), addressOf(72)];

/** What Settings Sync does: it carries whole values, of the names that the extension gave it. Both machines have started since the change before. */
async function carry(from: WalletWindow, to: WalletWindow): Promise<void> {
  await from.owners.takeSynced();
  for (const name of Object.values(SYNCED_STATE)) {
    await to.state.update(name, from.state.get(name) ?? null);
  }
  await to.owners.takeSynced();
}

const watched = ({ owners }: WalletWindow): readonly (readonly [string, string | undefined, boolean])[] =>
  owners.known(REAL).map(({ address, name, canSign }) => [address, name, canSign]);

describe('Watched addresses on several machines', () => {
  let desk: WalletWindow;
  let laptop: WalletWindow;

  beforeEach(async () => {
    [desk, laptop] = [walletWindow(), walletWindow()];
    await desk.owners.watch(FIRST, REAL);
    await desk.owners.rename(FIRST, 'Whale');
    await carry(desk, laptop);
  });

  it('An address with its name follows to the other machine, a new name too, and what is removed there is removed here', async () => {
    assert.deepEqual(watched(laptop), [[FIRST, 'Whale', false]]);
    await laptop.owners.watch(SECOND, REAL);
    await laptop.owners.rename(FIRST, 'Minnow');
    await carry(laptop, desk);
    assert.deepEqual(watched(desk), [
      [FIRST, 'Minnow', false],
      [SECOND, undefined, false],
    ]);
    await desk.owners.remove(FIRST);
    await carry(desk, laptop);
    assert.deepEqual(watched(laptop), [[SECOND, undefined, false]]);
  });

  it('What was watched here since the last synchronization stays, also if the other machine has the last word', async () => {
    await laptop.owners.watch(SECOND, REAL);
    await carry(desk, laptop);
    assert.deepEqual(
      watched(laptop).map(([address]) => address),
      [FIRST, SECOND],
    );
  });

  it('A wallet whose key is on a machine is never removed from there, and is not watched elsewhere because of the key', async () => {
    const key = generateKey();
    await desk.owners.watch(key.address, REAL);
    await carry(desk, laptop);
    await laptop.owners.importKey(key, REAL);
    await carry(laptop, desk);
    assert.ok(watched(desk).some(([address]) => address === key.address));
    await desk.owners.remove(key.address);
    await carry(desk, laptop);
    assert.ok(watched(laptop).some(([address, , canSign]) => address === key.address && canSign));
    const own = generateKey();
    await laptop.owners.importKey(own, REAL);
    await carry(laptop, desk);
    assert.ok(!watched(desk).some(([address]) => address === own.address));
  });

  it('No key, no journal and no list of wallets is synchronized', () => {
    assert.deepEqual(Object.values(SYNCED_STATE).sort(), ['binsight.favoritePools', 'binsight.poolSearches', watchedAddresses]);
    assert.deepEqual(desk.state.get(watchedAddresses), [{ address: FIRST, name: 'Whale' }]);
  });

  it('Data that another machine removed, or that is damaged, removes nothing here', async () => {
    for (const value of [undefined, null, 'x', { a: 1 }]) {
      const state = new MemoryState();
      const machine = walletWindow({ state });
      await machine.owners.watch(FIRST, REAL);
      await state.update(watchedAddresses, value ?? null);
      await machine.owners.takeSynced();
      assert.equal(watched(machine).length, 1);
    }
    await laptop.state.update(watchedAddresses, [{ address: FIRST, name: 'Whale' }, { address: '../x' }, 3, { address: SECOND, name: 4 }]);
    await laptop.owners.takeSynced();
    assert.deepEqual(
      watched(laptop).map(([address]) => address),
      [FIRST, SECOND],
    );
  });
});
