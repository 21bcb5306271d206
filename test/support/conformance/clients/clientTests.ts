import type { ClientWorld } from './access';
import { useCommandLineTool } from './commandLineTool';
import { readDashboard } from './dashboard';
import { runRebalanceBot } from './rebalanceBot';

// Clients of the public service, written by others: each makes its calls and reads the answers in its own way, and gets only an address, a key
// and its wallet.

/** The tests of clients that every engine has to pass. Call it in a `describe`. @param world gives a world to each test */
export function testClients(world: () => Promise<ClientWorld>): void {
  it('A command-line tool can use every command', async () => {
    await useCommandLineTool(await world());
  });

  it('A rebalance bot exits positions that are out of range and enters again around the price', async () => {
    await runRebalanceBot(await world());
  });

  it('A dashboard reads and sums up everything, with the parameter names that it assumes', async () => {
    await readDashboard(await world());
  });
}
