import type { Services } from './services';
import type { ViewController } from './viewController';
import { WalletGroupsTree } from './walletGroups/walletGroupsTree';

/** Shows the positions of other wallets beside those of the wallet in use while the *Positions* view is grouped by wallet. */
export function showWalletGroups(services: Services, { positions, positionsView, positionsHelp }: ViewController): void {
  const { disposables, session, log } = services;
  const tree = new WalletGroupsTree(positions, {
    ...services,
    onDidRefresh: (listener) => session.onDidRefresh(listener),
    log: log.of('positions'),
  });
  const visibilityChanged = () => tree.setVisible(positionsView.visible);
  disposables.add(tree, positionsView.onDidChangeVisibility(visibilityChanged));
  visibilityChanged();
  positionsHelp.use(tree);
}
